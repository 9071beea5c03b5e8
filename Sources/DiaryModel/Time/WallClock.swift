internal import Foundation

/// The source of a library's current time.
public struct WallClock: Sendable {
  private let read: @Sendable () -> Timestamp

  /// A clock that reads the time from a closure, so that tests can set it.
  public init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

  /// The system's clock.
  public static let system = WallClock { .now }

  /// The current time.
  public var now: Timestamp { read() }
}
