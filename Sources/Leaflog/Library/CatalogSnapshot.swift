internal import SystemPackage
public struct CatalogSnapshot: Sendable, Hashable {
  public let path: String
  public let takenAt: Timestamp
  public let generation: Int
  static func all(in layout: LibraryLayout) -> [CatalogSnapshot] { [] }
}
