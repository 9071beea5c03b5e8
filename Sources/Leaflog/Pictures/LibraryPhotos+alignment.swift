internal import Imaging

extension LibraryPhotos {
  /// The thumbnail that a photo is aligned by; nil if it is lost: the photo then matches nothing, and is
  /// shown as it is.
  func alignmentThumbnail(of id: EntryID) throws -> DecodedPhoto? {
    let photo = try catalog.read { try $0.photos.find(id.description) }
    guard let rendition = photo.renditions.first(where: { $0.role == .thumbnail }),
      let file = try? file(rendition)
    else { return nil }
    return try? PhotoFile(bytes: file.bytes, format: file.format)
      .frame(side: DecodedPhoto.thumbnailSide)
  }
}
