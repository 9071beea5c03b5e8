internal import BlobStorage
internal import Imaging

extension RecompressOutcome.Reason: Error {}

extension Recompressor {
  /// A photo's new rendition, from the best bytes there are, or why it stays as it is.
  func prepare(
    _ photo: Photo, _ request: RecompressRequest
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let full = photo.renditions.filter { $0.role != .thumbnail }
    let best = try library.photos.bestRendition(of: photo)
    switch (request.policy, best.role) {
    case (.exact, .original), (.lossless, .packed): return .failure(.alreadySo)
    case (.exact, .master), (.lossless, .master): return .failure(.exactBytesGone)
    case (.exact, _): return try unpacked(photo, best)
    case (.lossless, _): return try packed(photo, best, full, request)
    case (.compact, _): return try compacted(photo, best, full, request)
    }
  }

  /// Back to the exact bytes, whatever that costs: it was asked for.
  private func unpacked(
    _ photo: Photo, _ best: Rendition
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let file = try library.photos.file(best)
    let blob = PendingBlob(hashing: file.bytes)
    guard blob.id == photo.entry.photo?.sourceDigest else {
      throw LeaflogError(.damaged, "Its packed bytes do not unpack to what was imported.")
    }
    let size = try PhotoFile(bytes: file.bytes, format: file.format).storedSize
    return .success(
      prepared(photo, [best], .original, blob, file.format.mediaType, size, "exact"))
  }

  private func packed(
    _ photo: Photo, _ best: Rendition, _ full: [Rendition], _ request: RecompressRequest
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let file = try library.photos.file(best)
    guard file.format == .jpeg, try PhotoFile(bytes: file.bytes, format: .jpeg).isPackable,
      let packed = try JPEGPacking.pack(file.bytes)
    else {
      return .failure(.notCompressible)
    }
    guard saves(packed.count, full, request) else { return .failure(.savesTooLittle) }
    return .success(
      prepared(
        photo, full, .packed, PendingBlob(hashing: packed), ImageFormat.jxl.mediaType, best.size,
        JPEGPacking.recipe))
  }

  private func compacted(
    _ photo: Photo, _ best: Rendition, _ full: [Rendition], _ request: RecompressRequest
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let target = PerceptualTarget(score: request.targetScore)
    if best.role == .master {
      if best.recipe.hasSuffix("target=\(target)") { return .failure(.alreadySo) }
      guard request.allowsSecondLoss else { return .failure(.secondLoss) }
    }
    let file = try library.photos.file(best)
    let source = try PhotoFile(bytes: file.bytes, format: file.format)
    let decoded = try source.decode()
    guard decoded.isPlain else { return .failure(.notCompressible) }
    let limit = Int(Double(full.reduce(0) { $0 + $1.byteCount }) * (1 - request.minSaving))
    guard let master = try decoded.master(of: source, target: target, maxByteCount: limit) else {
      return .failure(.savesTooLittle)
    }
    return .success(
      prepared(
        photo, full, .master, PendingBlob(hashing: master.bytes), master.format.mediaType,
        master.size, master.recipe))
  }

  private func saves(_ byteCount: Int, _ full: [Rendition], _ request: RecompressRequest) -> Bool {
    let before = full.reduce(0) { $0 + $1.byteCount }
    return Double(byteCount) <= Double(before) * (1 - request.minSaving)
  }

  private func prepared(
    _ photo: Photo, _ former: [Rendition], _ role: RenditionRole, _ blob: PendingBlob,
    _ mediaType: String, _ size: PixelSize, _ recipe: String
  ) -> Prepared {
    Prepared(
      entry: photo.entry, former: former,
      new: Rendition(
        role: role, blob: blob.id, byteCount: blob.bytes.count, mediaType: mediaType, size: size,
        recipe: recipe), blob: blob)
  }
}
