internal import Foundation

extension Timestamp {
  /// The current time of the system's clock.
  package static var now: Timestamp {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }
}
