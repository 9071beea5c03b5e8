import CLazyLibraries
import Testing

/// Libraries that are loaded when a function of theirs is called.
@Suite struct LazyLibraryTests {
  @Test func `each has every function that is looked for in it`() {
    let missing = leaflog_bind_all().map { String(cString: $0) }
    #expect(missing == nil)
  }
}
