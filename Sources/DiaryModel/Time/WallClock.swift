internal import Foundation

/// The source of a library's present time.
public struct WallClock: Sendable {
  private let read: @Sendable () -> Timestamp

  /// A clock that is read by a closure; tests set the time with it.
  public init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

  /// The clock of the machine.
  public static let system = WallClock { .now }

  /// This moment.
  public var now: Timestamp { read() }
}
