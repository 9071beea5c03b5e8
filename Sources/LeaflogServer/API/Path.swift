internal import Fields
internal import Leaflog

/// The parameters of paths.
enum Path {
  static let entry = Parameter<String>(
    "id", .part, isRequired: true, "The id of an entry, or an unambiguous start of it.")
  static let name = Parameter<String>("name", .part, isRequired: true, "A name, or an id.")
  static let day = Parameter<String>(
    "day",
    Kind(
      .written(
        TextForm(
          takes: "a day such as 2026-03-01, or today",
          pattern: "^(\(TimePattern.day)|today)$"))),
    isRequired: true)
  static let tag = Parameter<String>("tag", .part, isRequired: true, "A tag.")
  static let quote = Parameter<String>("id", .part, isRequired: true, "The id of a quote.")
  static let source = Parameter<String>(
    "digest", Kind(Kind<BlobID>.digest.rule), isRequired: true,
    "SHA-256 of the file that was or would be imported.")
  static let upload = Parameter<String>("id", .part, isRequired: true, "The id of an upload.")
  static let change = Parameter<String>(
    "id",
    Kind(
      .written(
        TextForm(takes: "the number of a change, or last", pattern: "^([0-9]+|last)$"))),
    isRequired: true, "The number of a change, or `last`.")
  static let setting = Parameter<String>(
    "name",
    Kind(
      .written(TextForm(takes: "a setting's name", pattern: "^[a-zA-Z.]+$"))),
    isRequired: true, "The name of a setting.")
  static let token = Parameter<String>("id", .part, isRequired: true, "A name or an id.")
  static let job = Parameter<String>("id", .part, isRequired: true, "The id of a job.")
}

extension Kind<String> {
  /// A part of a path.
  fileprivate static let part = Kind(
    .written(TextForm(takes: "a text", pattern: #"^[^\u0000]+$"#)))
}
