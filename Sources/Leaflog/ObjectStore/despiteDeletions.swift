internal import BlobStorage

/// Runs work on listed objects, and starts over when one of them was deleted after it was listed.
func despiteDeletions<Value>(_ body: () throws -> Value) throws -> Value {
  for _ in 1..<maxBeginningCount {
    do { return try body() } catch let error as BlobStoreError where error.code == .notFound {}
  }
  return try body()
}

private let maxBeginningCount = 5
