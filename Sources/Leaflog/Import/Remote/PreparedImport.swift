internal import BlobStorage
internal import DiaryCatalog

/// Records photos that were prepared on another machine.
struct PreparedImport: Sendable {
  let library: Library
  let change: OpenChange

  func record(
    _ photo: PreparedPhoto, _ digest: BlobID, _ parts: [Upload]
  ) throws(LeaflogError) -> FileOutcome {
    try translating {
      var new = try photo.checked(digest, in: library)
      if let picture = new.pictureDigest {
        let match = try library.catalog.read {
          try $0.photos.known(withPicture: picture, of: new.foundTime)
        }
        if match == .ofOtherTime { new.warnings = (new.warnings + [.samePicture]).sorted() }
      }
      let blobs = try blobs(parts, for: new.renditions)
      try library.blobs.put(blobs)
      let record = ImportRecord(content: .new(new), file: nil, readmits: photo.readmits)
      let now = library.clock.now
      let outcomes = try library.catalog.change(change, now: now) { tables, _ in
        try tables.photos.record([record], now: now, confirm: library.blobs.confirm)
      }
      return FileOutcome(
        path: photo.name, result: result(outcomes[0], new),
        warnings: outcomes[0].notice.map { [$0] } ?? new.warnings,
        sourceByteCount: new.sourceByteCount)
    }
  }

  /// The blobs of all renditions, checked against their descriptions.
  private func blobs(_ parts: [Upload], for renditions: [Rendition]) throws -> [PendingBlob] {
    var found: [BlobID: PendingBlob] = [:]
    for part in parts {
      let (bytes, digest) = try FileReader(part.file.path).readAndHash()
      found[digest] = PendingBlob(id: digest, bytes: bytes)
    }
    for rendition in renditions {
      guard let blob = found[rendition.blob] else {
        throw LeaflogError(
          .mismatch, "The bytes of the \(rendition.role.rawValue) are not those that were said.")
      }
      guard rendition.fits(blob.bytes) else {
        throw LeaflogError.invalid(
          "The \(rendition.role.rawValue) is not the picture that was said.")
      }
    }
    guard Set(renditions.map(\.blob)) == Set(found.keys) else {
      throw LeaflogError.invalid("There are bytes that no rendition has.")
    }
    return Array(found.values)
  }

  private func result(_ outcome: RecordOutcome, _ photo: NewPhoto) -> FileOutcome.Result {
    switch outcome {
    case .added(let id):
      .added(
        ImportedPhoto(
          id: id, plantName: photo.plantName, time: photo.time, captureSource: photo.captureSource,
          sourceByteCount: photo.sourceByteCount,
          storedByteCount: photo.storedByteCount))
    case .duplicate(let id), .outdated(let id, _): .duplicate(id)
    case .updated(let id): .updated(id)
    case .restored(let id): .restored(id)
    case .inTrash: .skipped(.inTrash)
    }
  }
}
