internal import Foundation

/// The order in which a walk found the files that are being imported.
///
/// Files of one photo are reserved in this order, so that the first of them is added, whichever is read sooner. A file
/// waits while it has memory only for files that have some already: otherwise two could wait for each other.
final class WalkOrder: @unchecked Sendable {  // the condition guards all of it
  /// The steps that files take in order.
  enum Step: Int, CaseIterable { case takeMemory, reserveBytes, reservePicture }

  /// A file's place in the order.
  final class Place: Sendable {
    let number: Int
    private let order: WalkOrder

    fileprivate init(_ number: Int, in order: WalkOrder) {
      (self.number, self.order) = (number, order)
    }

    /// Takes a step once all files before this one have taken it, or are done.
    func inTurn<Result>(_ step: Step, _ body: () throws -> Result) rethrows -> Result {
      order.wait(for: step, number)
      defer { order.pass([step], number) }
      return try body()
    }

    /// Lets others take a step that this file leaves out.
    func skip(_ step: Step) { order.pass([step], number) }

    /// Lets all others go on: this file takes no further step.
    func leave() { order.pass(Step.allCases, number) }
  }

  private let condition = NSCondition()
  private var count = 0
  /// For each step, the files that have it before them.
  private var ahead = Step.allCases.map { _ in Set<Int>() }

  /// The place of the next file.
  func next() -> Place {
    condition.withLock {
      count += 1
      for step in ahead.indices { ahead[step].insert(count) }
      return Place(count, in: self)
    }
  }

  private func wait(for step: Step, _ number: Int) {
    condition.withLock {
      while ahead[step.rawValue].contains(where: { $0 < number }) { condition.wait() }
    }
  }

  private func pass(_ steps: [Step], _ number: Int) {
    condition.withLock {
      let passed = steps.filter { ahead[$0.rawValue].remove(number) != nil }
      if !passed.isEmpty { condition.broadcast() }
    }
  }
}
