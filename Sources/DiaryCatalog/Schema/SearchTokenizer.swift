internal import DiaryModel
internal import GRDBSQLite

/// The tokenizer of the search indexes (sqlite.org/fts5.html, 7): the words of `SearchWords`.
///
/// SQLite's own tokenizer folds no ß and no Greek accents, and takes a Chinese sentence for one word. Each connection that
/// reads or writes an index needs it; without it, everything but the indexes can be read.
package final class SearchTokenizer {
  /// The name in the schema.
  static let name = "leaflog"

  private var words = SearchWords()

  /// Makes the tokenizer known to a connection.
  ///
  /// - Returns: SQLite's result code.
  @discardableResult
  package static func register(on connection: OpaquePointer?) -> CInt {
    var statement: OpaquePointer?
    let prepared = sqlite3_prepare_v2(connection, "SELECT fts5(?)", -1, &statement, nil)
    guard prepared == SQLITE_OK else { return prepared }
    defer { sqlite3_finalize(statement) }
    var found: UnsafeMutablePointer<fts5_api>?
    let type: StaticString = "fts5_api_ptr"
    type.utf8Start.withMemoryRebound(to: CChar.self, capacity: type.utf8CodeUnitCount + 1) {
      _ = sqlite3_bind_pointer(statement, 1, &found, $0, nil)
      _ = sqlite3_step(statement)
    }
    guard let api = found else { return SQLITE_ERROR }
    var functions = fts5_tokenizer(xCreate: create, xDelete: delete, xTokenize: tokenize)
    return api.pointee.xCreateTokenizer(api, name, nil, &functions, nil)
  }

  private static let create:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafePointer<CChar>?>?, CInt,
      UnsafeMutablePointer<OpaquePointer?>?
    ) -> CInt = { _, _, _, tokenizer in
      tokenizer?.pointee = OpaquePointer(Unmanaged.passRetained(SearchTokenizer()).toOpaque())
      return SQLITE_OK
    }

  private static let delete: @convention(c) (OpaquePointer?) -> Void = { tokenizer in
    guard let tokenizer else { return }
    Unmanaged<SearchTokenizer>.fromOpaque(UnsafeRawPointer(tokenizer)).release()
  }

  private static let tokenize:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, CInt,
      (
        @convention(c) (
          UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, CInt, CInt, CInt
        ) -> CInt
      )?
    ) -> CInt = { tokenizer, context, _, text, count, found in
      guard let tokenizer, let text, count > 0, let found else { return SQLITE_OK }
      let own = Unmanaged<SearchTokenizer>.fromOpaque(UnsafeRawPointer(tokenizer))
        .takeUnretainedValue()
      var code = SQLITE_OK
      text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
        own.words.forEach(in: UnsafeBufferPointer(start: bytes, count: Int(count))) { word, place in
          code = word.withUnsafeBytes { word in
            found(
              context, 0, word.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(word.count),
              CInt(place.lowerBound), CInt(place.upperBound))
          }
          return code == SQLITE_OK
        }
      }
      return code
    }
}
