internal import BlobStorage
public import Foundation
internal import Imaging

extension LibraryPhotos {
  /// The thumbnail's JPEG: at most 640 px a side, upright, sRGB, without metadata.
  public func thumbnail(of photo: Photo) throws(LeaflogError) -> Data {
    let thumbnail = try thumbnailRendition(of: photo)
    return try translating { Data(try blobs.get(thumbnail.blob, range: nil)) }
  }

  func thumbnailRendition(of photo: Photo) throws(LeaflogError) -> Rendition {
    guard let thumbnail = photo.renditions.first(where: { $0.role == .thumbnail }) else {
      throw LeaflogError(.damaged, "The photo \(photo.entry.id) has no thumbnail.")
    }
    return thumbnail
  }

  /// The thumbnail's pixels: at most 640 a side, upright, sRGB.
  ///
  /// - Throws: `LeaflogError` with code `damaged` when the thumbnail is missing or does not decode.
  public func thumbnailPixels(of photo: Photo) throws(LeaflogError) -> RGBPicture {
    let bytes = ByteBuffer(copying: try thumbnail(of: photo))
    return try translating {
      try withImagingThread {
        let decoded = try PhotoFile(bytes: bytes, format: .jpeg).decode()
        return RGBPicture(size: decoded.size, samples: try decoded.rgbSamples())
      }
    }
  }

  /// The preview's JPEG: at most 2048 px a side, upright, sRGB, without metadata. It is made on the first
  /// request, and kept in the library's cache.
  public func preview(of photo: Photo) throws(LeaflogError) -> Data {
    try translating {
      if let cached = previewCache.get(photo.entry.id) { return cached }
      let best = try bestFile(of: photo)
      let preview = try withImagingThread {
        Data(try PhotoFile(bytes: best.bytes, format: best.format).decode().preview().bytes)
      }
      try previewCache.put(preview, for: photo.entry.id)
      return preview
    }
  }

  /// The best file of the photo: the imported one if the library has its exact bytes.
  func bestFile(of photo: Photo) throws -> (bytes: ByteBuffer, format: ImageFormat) {
    try file(bestRendition(of: photo))
  }

  /// A rendition as an image file; a packed one is unpacked.
  ///
  /// - Throws: `LeaflogError` with code `damaged` when the blob does not match its digest.
  func file(_ rendition: Rendition) throws -> (bytes: ByteBuffer, format: ImageFormat) {
    let stored = try blobs.get(rendition.blob, range: nil)
    guard stored.withUnsafeBytes({ BlobID(hashing: $0) }) == rendition.blob else {
      throw LeaflogError(.damaged, "The blob \(rendition.blob) is damaged.")
    }
    let bytes = rendition.role == .packed ? try JPEGPacking.unpack(stored) : stored
    guard case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) }) else {
      throw LeaflogError(.damaged, "The blob \(rendition.blob) is not an image.")
    }
    return (bytes, format)
  }

  /// The rendition that preserves the most of the photo.
  func bestRendition(of photo: Photo) throws(LeaflogError) -> Rendition {
    for role in [RenditionRole.original, .packed, .master] {
      if let found = photo.renditions.first(where: { $0.role == role }) { return found }
    }
    throw LeaflogError(.damaged, "The photo \(photo.entry.id) has no full-size rendition.")
  }

  var previewCache: PreviewCache { PreviewCache(folder: layout.previews.string) }
}

extension Data {
  init(_ bytes: ByteBuffer) { self = bytes.withUnsafeBytes { Data($0) } }
}
