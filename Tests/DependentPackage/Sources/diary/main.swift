import Leaflog

let (folder, photos) = (CommandLine.arguments[1], CommandLine.arguments[2])
let library =
  Library.exists(at: folder) ? try Library.open(at: folder) : try Library.create(at: folder)
let summary = try await Importer(library).run(ImportRequest(paths: [photos])) { _ in }
print("\(summary.added) new photos")

let newest = try await library.read { try $0.timeline.page(limit: 3) }
for entry in newest.elements { print(entry.time.localDay, entry.plant?.name ?? "") }
if let next = newest.next {
  let older = try await library.read { try $0.timeline.page(at: .cursor(next), limit: 3) }
  print("and \(older.elements.count) before them")
  if let previous = older.previous {
    let back = try await library.read { try $0.timeline.page(at: .cursor(previous), limit: 3) }
    print("and back: \(back.elements == newest.elements)")
  }
}

let commits = try library.history.commits()
let observer = Task {
  for try await commit in commits where commit.kinds?.contains(.symptom) ?? true {
    return print("Commit \(commit.id) is about a symptom.")
  }
}
try await observer.value
let another = Task { for try await _ in commits {} }
another.cancel()  // it ends without an error
try await another.value
try library.close()
