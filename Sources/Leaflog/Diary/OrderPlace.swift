/// A place in a user-defined order, such as that of activities.
public enum OrderPlace<ID: Hashable & Sendable>: Sendable, Hashable {
  /// Counted from 1.
  case number(Int)
  /// Directly before another thing, which has this id.
  case before(ID)
  /// Directly after another thing, which has this id.
  case after(ID)
}

extension Array where Element: Hashable & Sendable {
  /// Moves a thing to another place; those between move up or down by one.
  ///
  /// - Parameter noun: for messages, such as “activity”.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a number out of range, and `notFound` when one of the two is not there.
  mutating func move(
    _ id: Element, to place: OrderPlace<Element>, _ noun: String
  ) throws(LeaflogError) {
    guard let old = firstIndex(of: id) else {
      throw LeaflogError(.notFound, "The \(noun) has been deleted.")
    }
    if place == .before(id) || place == .after(id) { return }
    func index(of other: Element) throws(LeaflogError) -> Int {
      guard let index = firstIndex(of: other) else {
        throw LeaflogError(.notFound, "The other \(noun) has been deleted.")
      }
      return index
    }
    remove(at: old)
    switch place {
    case .number(let number):
      guard (1...count + 1).contains(number) else {
        throw LeaflogError.invalid("The \(noun)'s place is 1 to \(count + 1).")
      }
      insert(id, at: number - 1)
    case .before(let other): insert(id, at: try index(of: other))
    case .after(let other): insert(id, at: try index(of: other) + 1)
    }
  }

  /// Checks that an order has each of the things exactly once.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest`, which names those that are missing or occur twice.
  func checkOrder(of all: [(id: Element, name: String)], _ noun: String) throws(LeaflogError) {
    func names(where isWrong: (Element) -> Bool) -> String? {
      let wrong = all.filter { isWrong($0.id) }.map { "“\($0.name)”" }
      return wrong.isEmpty ? nil : wrong.joined(separator: ", ")
    }
    if let absent = names(where: { !contains($0) }) {
      throw .invalid("The order has to name every \(noun): \(absent) is missing.")
    }
    if let repeated = names(where: { id in count { $0 == id } > 1 }) {
      throw .invalid("The order may name each \(noun) once: \(repeated) occurs twice.")
    }
  }
}
