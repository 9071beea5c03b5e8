internal import BlobStorage
internal import Imaging

extension RecompressOutcome.Reason: Error {}

extension Recompressor {
  /// Makes a photo's new rendition from the best bytes there are, or returns why the photo stays as it is.
  func prepare(
    _ photo: Photo, _ request: RecompressRequest, _ memory: MemoryBudget
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let full = photo.renditions.filter { $0.role != .thumbnail }
    let best = try library.photos.bestRendition(of: photo)
    switch (request.policy, best.role) {
    case (.exact, .original), (.lossless, .packed): return .failure(.alreadySo)
    case (.exact, .master), (.lossless, .master): return .failure(.exactBytesGone)
    case (.compact, .master) where MasterRecipe(best.recipe)?.target == request.target:
      return .failure(.alreadySo)
    case (.compact, .master) where !request.allowsSecondLoss: return .failure(.secondLoss)
    default: break
    }
    let opened = try open(best, request.policy, memory)
    defer { opened.memory.release() }
    switch request.policy {
    case .exact: return try unpacked(photo, best, opened)
    case .lossless: return try packed(photo, full, opened, request)
    case .compact: return try compacted(photo, full, opened, request)
    }
  }

  /// A photo's best file, and the memory for the work on it.
  private struct Opened {
    let source: PhotoFile
    let memory: MemoryBudget.Reservation
  }

  /// Opens a photo's best file. The memory that it needs is known only once its header is read.
  private func open(
    _ best: Rendition, _ policy: StoragePolicy, _ memory: MemoryBudget
  ) throws -> Opened {
    let share = memory.reserve(best.byteCount)
    let file = try library.photos.file(best)
    let source = try PhotoFile(bytes: file.bytes, format: file.format)
    let needed =
      policy == .compact
      ? max(source.memory.coefficientByteCount(ImageLimits()) ?? 0, source.memory.workingByteCount)
      : source.memory.packingByteCount
    if share.grow(to: needed) { return Opened(source: source, memory: share) }
    share.release()
    return Opened(source: source, memory: memory.reserve(needed))
  }

  /// Goes back to the exact bytes, whatever space that takes, as requested.
  private func unpacked(
    _ photo: Photo, _ best: Rendition, _ opened: Opened
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let source = opened.source
    let blob = PendingBlob(hashing: source.bytes)
    guard blob.id == photo.entry.photo?.sourceDigest else {
      throw LeaflogError(.damaged, "Its packed bytes do not unpack to what was imported.")
    }
    return .success(
      prepared(
        photo, [best], .original, blob, source.format.mediaType, source.storedSize, "exact"))
  }

  private func packed(
    _ photo: Photo, _ full: [Rendition], _ opened: Opened, _ request: RecompressRequest
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let source = opened.source
    guard source.format == .jpeg, source.memory.isPackable,
      let packed = try JPEGPacking.pack(source.bytes)
    else {
      return .failure(.notCompressible)
    }
    guard saves(packed.count, full, request) else { return .failure(.savesTooLittle) }
    return .success(
      prepared(
        photo, full, .packed, PendingBlob(hashing: packed), ImageFormat.jxl.mediaType,
        source.storedSize, JPEGPacking.recipe))
  }

  private func compacted(
    _ photo: Photo, _ full: [Rendition], _ opened: Opened, _ request: RecompressRequest
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let source = try opened.source.read()
    guard source.isPlain else { return .failure(.notCompressible) }
    let limit = Int(Double(full.reduce(0) { $0 + $1.byteCount }) * (1 - request.minSaving))
    guard
      let master = try source.master(
        target: request.target, maxByteCount: limit, after: history)
    else {
      return .failure(.savesTooLittle)
    }
    var result = prepared(
      photo, full, .master, PendingBlob(hashing: master.bytes), master.format.mediaType,
      master.size, master.recipe)
    result.warnings = opened.source.lostInCopy
    return .success(result)
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

extension RecompressRequest {
  fileprivate var target: PerceptualTarget { PerceptualTarget(score: targetScore) }
}
