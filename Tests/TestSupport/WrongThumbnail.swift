internal import BlobStorage
internal import DiaryCatalog
package import DiaryModel
internal import SystemPackage

/// What listings show of a photo, as a version of Leaflog would have left it that decoded the photo wrongly.
package enum WrongThumbnail {
  /// Gives a photo the thumbnail of another picture, and a wrong size, placeholder and sharpness with it.
  ///
  /// - Parameter library: the folder of a library that nothing else writes to meanwhile.
  package static func plant(in library: String, for photo: EntryID) throws {
    let bytes = SharedBytes(copying: try Fixtures.data("Orientation/6.jpg"))
    let blob = PendingBlob(hashing: bytes)
    try LocalBlobStore(root: FilePath(library)).put([blob])
    let wrong = PhotoAppearance(
      size: PixelSize(width: 3, height: 2),
      thumbnail: Rendition(
        role: .thumbnail, blob: blob.id, byteCount: bytes.count, mediaType: "image/jpeg",
        size: PixelSize(width: 120, height: 160), recipe: "thumbnail-1"),
      placeholder: [1, 2, 3], sharpness: nil)
    let catalog = try Catalog(
      path: library + "/catalog.sqlite",
      access: .readWrite(lock: FileLock(FilePath(library + "/lock"))))
    defer { try? catalog.close() }
    _ = try catalog.write { tables in
      let former = try tables.photos.appearance(of: photo)
      return try tables.photos.apply(
        [AppearanceReplacement(photo: photo, former: former, new: wrong)],
        now: Timestamp(milliseconds: 1_750_000_000_000)
      ) { _ in }
    }
  }
}
