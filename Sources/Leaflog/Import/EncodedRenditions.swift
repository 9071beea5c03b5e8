internal import BlobStorage
internal import Imaging

/// The renditions and blobs that an import makes of one photo. A single blob may serve as both the photo
/// and its thumbnail.
struct EncodedRenditions {
  private(set) var renditions: [Rendition] = []
  private(set) var blobs: [PendingBlob] = []
  private(set) var placeholder: [UInt8] = []
  /// The thumbnail's.
  private(set) var sharpness: Double?
  private(set) var warnings: Set<ImportWarning> = []

  /// A compressed copy has to save at least a tenth of the original, or the original is kept.
  private static let maxCompressedShare = 0.9

  /// No renditions, for a dry run.
  init() {}

  init(
    _ source: RenditionSource, _ digest: BlobID, _ policy: StoragePolicy, _ targetScore: Double,
    after history: QualityHistory = QualityHistory()
  ) throws {
    let photo = source.photo
    // Few programs show JPEG XL.
    let isOwnThumbnail = source.isOwnThumbnail && policy != .lossless
    let thumbnail = try MadeThumbnail(source, isOwn: isOwnThumbnail, after: history)
    (placeholder, sharpness) = (thumbnail.placeholder, thumbnail.sharpness)
    if let image = thumbnail.image { add(.thumbnail, image) }
    switch policy {
    case .exact: keepOriginal(photo, digest)
    case .lossless: try pack(photo, digest)
    case .compact:
      let limit = Int(Double(photo.bytes.count) * Self.maxCompressedShare)
      let target = PerceptualTarget(score: targetScore)
      if let master = try source.master(target: target, maxByteCount: limit, after: history) {
        add(.master, master)
        warnings.formUnion(photo.lostInCopy)
      } else {
        keepOriginal(photo, digest)
      }
    }
    if isOwnThumbnail, let full = renditions.first { renditions.append(full.asThumbnail) }
  }

  private mutating func add(_ role: RenditionRole, _ image: EncodedImage) {
    let blob = PendingBlob(hashing: image.bytes)
    add(role, blob, image.format.mediaType, image.size, image.recipe)
  }

  private mutating func add(
    _ role: RenditionRole, _ blob: PendingBlob, _ mediaType: String, _ size: PixelSize,
    _ recipe: String
  ) {
    blobs.append(blob)
    renditions.append(
      Rendition(
        role: role, blob: blob.id, byteCount: blob.bytes.count, mediaType: mediaType, size: size,
        recipe: recipe))
  }

  private mutating func keepOriginal(_ photo: PhotoFile, _ digest: BlobID) {
    add(
      .original, PendingBlob(id: digest, bytes: photo.bytes), photo.format.mediaType,
      photo.storedSize, "exact")
  }

  private mutating func pack(_ photo: PhotoFile, _ digest: BlobID) throws {
    guard photo.format == .jpeg else { return keepOriginal(photo, digest) }
    guard photo.memory.isPackable(ImageLimits()), let packed = try JPEGPacking.pack(photo.bytes)
    else {
      warnings.insert(.notPackable)
      return keepOriginal(photo, digest)
    }
    add(
      .packed, PendingBlob(hashing: packed), ImageFormat.jxl.mediaType, photo.storedSize,
      JPEGPacking.recipe)
  }
}

/// A photo's thumbnail, and what listings have of it besides.
struct MadeThumbnail {
  /// Nil if the photo's own file serves as its thumbnail.
  let image: EncodedImage?
  /// The pixels before compression.
  let pixels: DecodedPhoto
  let placeholder: [UInt8]
  let sharpness: Double

  init(_ source: RenditionSource, isOwn: Bool, after history: QualityHistory) throws {
    if isOwn {
      let side = DecodedPhoto.thumbnailSide
      pixels = try source.picture(reaching: side).frame(side: side)
      image = nil
    } else {
      let thumbnail = try source.thumbnail(after: history)
      (pixels, image) = (thumbnail.decoded, thumbnail.image)
    }
    placeholder = try Placeholder.hash(pixels)
    sharpness = try pixels.sharpness()
  }
}

extension Rendition {
  /// The same file as the photo's thumbnail.
  var asThumbnail: Rendition {
    Rendition(
      role: .thumbnail, blob: blob, byteCount: byteCount, mediaType: mediaType, size: size,
      recipe: recipe)
  }
}
