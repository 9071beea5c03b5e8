internal import DiaryCatalog

/// Several calls as one.
extension Library {
  /// Runs calls as one change: all of them take effect or, after an error, none. The change is durable when this returns,
  /// is one row of the history, and is undone as a whole. It is of the kind of the first call that has changed something.
  ///
  /// ```swift
  /// try library.change("spring repotting") { library in
  ///   let plant = try library.plants.find(matching: "Monstera")
  ///   _ = try library.plants.edit(plant.id) { $0.location = "balcony" }
  ///   _ = try library.diary.setMood(.happy, on: library.today)
  /// }
  /// ```
  ///
  /// Other writers wait meanwhile, so it should be short. Each call takes effect as a whole or not at all: the change goes
  /// on after an error that `body` catches. Within another change, it becomes a part of that one.
  ///
  /// Refused in it are calls that have commits of their own or cannot be taken back: undo and redo, changes of settings and
  /// tokens, imports, and the work of types such as `Backup` and `Pruner`. Things that are deleted in the same change as their plant
  /// come back with it.
  ///
  /// - Parameters:
  ///   - text: says what the change is, as the origin that the history shows: one line of up to 200 characters.
  ///   - body: receives the library for the calls. It is used only within `body` and on its thread, on which the
  ///     calls of `self` are refused meanwhile.
  /// - Throws: what `body` throws; `LeaflogError` with code `invalidRequest` for a text that is empty, too long or of several lines, and what
  ///   a single call throws when it cannot be written.
  public func change<Value>(_ text: String, _ body: (Library) throws -> Value) throws -> Value {
    let origin = try translating { try oneLine(text, field: "text", upTo: 200) }
    return try translatingOwn {
      try catalog.change(origin: origin, now: clock.now) { try $0.run(body, as: self) }
    }
  }

  /// Runs reading calls that all see the same state of the library, whatever others write meanwhile.
  ///
  /// Calls that would change something are refused in it, with the code `invalidRequest`.
  ///
  /// - Parameter body: receives the library for the calls. It is used only within `body` and on its thread, on which the
  ///   calls of `self` are refused meanwhile.
  /// - Throws: what `body` throws, and `LeaflogError` when the catalog cannot be read.
  public func snapshot<Value>(_ body: (Library) throws -> Value) throws -> Value {
    try translatingOwn { try catalog.snapshot { try $0.run(body, as: self) } }
  }

  /// - Throws: `LeaflogError` with code `invalidRequest` within a change or a snapshot, for calls that have commits of their
  ///   own, or go on afterwards.
  func checkAlone() throws(LeaflogError) { try translating { try catalog.checkAlone() } }

  /// Runs a transaction, whose own errors become `LeaflogError`, while those of its body are passed on as they are.
  private func translatingOwn<Value>(_ transaction: () throws -> Value) throws -> Value {
    do { return try transaction() } catch let error as BodyError { throw error.cause } catch {
      throw LeaflogError(error)
    }
  }
}

/// An error of somebody else's code in a transaction.
private struct BodyError: Error { let cause: any Error }

extension Catalog {
  /// Runs the body of a transaction with a library over this catalog.
  fileprivate func run<Value>(
    _ body: (Library) throws -> Value, as library: Library
  ) throws -> Value {
    let bound = try Library(library, self)
    do { return try body(bound) } catch { throw BodyError(cause: error) }
  }
}
