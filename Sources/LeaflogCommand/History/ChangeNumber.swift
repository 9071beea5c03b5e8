import ArgumentParser
internal import Leaflog

/// The number of a change, as shown by `leaflog history`.
struct ChangeNumber: ExpressibleByArgument {
  private let text: String

  init(argument: String) { text = argument }

  /// - Throws: with code `invalidRequest` and an example, for anything that is not a number.
  func id() throws(LeaflogError) -> Int64 {
    if let id = Int64(text), id > 0 { return id }
    throw LeaflogError(
      .invalidRequest,
      "\(text.quoted) is not the number of a change. "
        + "Use a number such as 17 from `leaflog history`.")
  }
}
