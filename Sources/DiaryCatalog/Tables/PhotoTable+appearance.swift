package import DiaryModel
internal import Foundation
internal import GRDB

/// How listings show a photo: all of it is made from its picture, and can be made again.
package struct PhotoAppearance: Sendable, Hashable {
  /// The upright size.
  package let size: PixelSize
  /// The thumbnail; nil only in a damaged catalog.
  package let thumbnail: Rendition?
  package let placeholder: [UInt8]
  /// The variance of the thumbnail's Laplacian; nil if it was not measured.
  package let sharpness: Double?

  package init(
    size: PixelSize, thumbnail: Rendition?, placeholder: [UInt8], sharpness: Double?
  ) {
    (self.size, self.thumbnail) = (size, thumbnail)
    (self.placeholder, self.sharpness) = (placeholder, sharpness)
  }

  /// Whether listings show it the same way, whatever the recipes of the thumbnails.
  package func isShown(as other: PhotoAppearance) -> Bool {
    size == other.size && thumbnail?.blob == other.thumbnail?.blob
      && placeholder == other.placeholder && sharpness == other.sharpness
  }
}

/// The replacement of a photo's appearance.
package struct AppearanceReplacement: Sendable {
  package let photo: EntryID
  /// The appearance to replace; nothing is replaced if the photo no longer has it.
  package let former: PhotoAppearance
  package let new: PhotoAppearance

  package init(photo: EntryID, former: PhotoAppearance, new: PhotoAppearance) {
    (self.photo, self.former, self.new) = (photo, former, new)
  }
}

extension PhotoTable {
  /// How listings show a photo.
  package func appearance(of id: EntryID) throws -> PhotoAppearance {
    guard let row = try tables.entries.row(of: id), let appearance = try appearance(ofRow: row)
    else { throw CatalogError(.notFound, "No photo has the id “\(id)”.") }
    return appearance
  }

  private func appearance(ofRow row: Int64) throws -> PhotoAppearance? {
    let find = try database.cachedStatement(
      sql: "SELECT width, height, placeholder, sharpness FROM photo WHERE entryID = ?")
    guard let photo = try Row.fetchOne(find, arguments: [row]) else { return nil }
    return PhotoAppearance(
      size: PixelSize(width: photo[0], height: photo[1]),
      thumbnail: try tables.renditions.all(ofPhoto: row).first { $0.role == .thumbnail },
      placeholder: Array(photo[2] as Data), sharpness: photo[3])
  }

  /// Replaces how listings show photos; blobs that become unreferenced are condemned.
  ///
  /// - Parameter confirm: called for each new thumbnail; throws when its blob is not in the store.
  /// - Returns: the photos that were changed; another process may have changed the others since.
  package func apply(
    _ replacements: [AppearanceReplacement], now: Timestamp, confirm: (Rendition) throws -> Void
  ) throws -> Set<EntryID> {
    for change in replacements { try change.new.thumbnail.map(confirm) }
    var done: Set<EntryID> = []
    for change in replacements {
      guard let row = try tables.entries.row(of: change.photo),
        try appearance(ofRow: row) == change.former
      else { continue }
      try set(change.new, after: change.former, ofRow: row, now: now)
      done.insert(change.photo)
    }
    return done
  }

  private func set(
    _ new: PhotoAppearance, after former: PhotoAppearance, ofRow row: Int64, now: Timestamp
  ) throws {
    if let thumbnail = new.thumbnail, thumbnail != former.thumbnail {
      try tables.renditions.remove(.thumbnail, ofPhoto: row, now: now)
      try tables.renditions.insert(thumbnail, photo: row, now: now)
    }
    try database.cachedStatement(
      sql: """
        UPDATE photo SET width = ?, height = ?, placeholder = ?, sharpness = ? WHERE entryID = ?
        """
    ).execute(arguments: [
      new.size.width, new.size.height, Data(new.placeholder), new.sharpness, row,
    ])
  }
}
