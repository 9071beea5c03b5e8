internal import BlobStorage

/// Does something with listed objects, and begins anew when one of them went after it was listed.
func despiteDeletions<Value>(_ body: () throws -> Value) throws -> Value {
  for _ in 1..<maxBeginningCount {
    do { return try body() } catch let error as BlobStoreError where error.code == .notFound {}
  }
  return try body()
}

private let maxBeginningCount = 5
