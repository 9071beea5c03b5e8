import Fields
import Foundation
import Leaflog
import LeaflogServer
import Synchronization

/// The steps that a job has taken.
struct Steps: Shown {
  let count: Int

  static let shown = Fields<Steps>([Field(adding: "steps", .count) { $0.count }])
}

/// A job that takes a step when it is told to.
struct SteppedJob: JobKind {
  static let name = "stepped"
  static let fields: [any AnyParameter] = [gateName, stepCount]

  private static let gateName = Parameter<String>("gate", .text, isRequired: true)
  private static let stepCount = Parameter<Int>("count", .whole(1...1_000_000), standard: 3)

  private static let gates = Mutex<[String: AsyncStream<Void>]>([:])

  /// Makes a gate that is closed: each `yield` lets the job that names it take a step, `finish` all further ones.
  static func gate(_ name: String) -> AsyncStream<Void>.Continuation {
    let (steps, gate) = AsyncStream<Void>.makeStream()
    gates.withLock { $0[name] = steps }
    return gate
  }

  private let gate: String
  private let count: Int

  init(_ body: BodyReader) throws {
    gate = try body.known(Self.gateName)
    count = try body.known(Self.stepCount)
  }

  func run(in context: JobContext) async throws -> JobResult<Steps> {
    var steps = Self.gates.withLock { $0[gate] }?.makeAsyncIterator()
    for step in 0..<count {
      context.progress { ($0.done, $0.total) = (step, count) }
      _ = await steps?.next()
      if Task.isCancelled { return JobResult(Steps(count: step), isComplete: false) }
    }
    return JobResult(Steps(count: count))
  }
}

/// A job that does not notice that it is cancelled.
struct StubbornJob: JobKind {
  static let name = "stubborn"
  /// Lets it end.
  static let end = DispatchSemaphore(value: 0)
  static let fields: [any AnyParameter] = []

  init(_ body: BodyReader) throws {}

  func run(in context: JobContext) async throws -> JobResult<Steps> {
    Self.wait()
    return JobResult(Steps(count: 1))
  }

  private static func wait() { end.wait() }
}
