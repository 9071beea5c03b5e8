internal import Foundation

/// Feeds damaged inputs to a reader of untrusted bytes, one after another. A reader that crashes the process fails the
/// test; the input at that time is in the file.
///
///     FuzzRunner TARGET --seed N --inputs N --file FILE
///     FuzzRunner TARGET --seed N --seconds N --file FILE
///     FuzzRunner TARGET --replay FILE
@main
struct FuzzRunner {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let target = words.first.flatMap(FuzzTarget.init) else {
      print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
      exit(64)
    }
    func option(_ name: String) -> String? {
      words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }
    if let file = option("--replay") {
      target.read(try CurrentInput.contents(of: file))
      return
    }
    guard let seed = option("--seed").flatMap(UInt64.init), let file = option("--file") else {
      exit(64)
    }
    let count = option("--inputs").flatMap(Int.init) ?? .max
    let end = option("--seconds").flatMap(Int.init).map { ContinuousClock.now + .seconds($0) }
    let current = try CurrentInput(file)
    var mutation = Mutation(seeds: try target.seeds(), words: target.words, seed: seed)
    var done = 0
    while done < count, end.map({ ContinuousClock.now < $0 }) ?? true {
      let input = mutation.next()
      current.note(input)
      // A reader that does not return is as bad as one that crashes.
      alarm(60)
      target.read(input)
      done += 1
    }
    print(done)
  }
}

/// The current input, in a file that outlives the process.
struct CurrentInput {
  private static let capacity = 1 << 20
  private let memory: UnsafeMutableRawPointer

  init(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o666)
    guard file >= 0, ftruncate(file, off_t(Self.capacity)) == 0,
      let memory = mmap(nil, Self.capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { throw CocoaError(.fileWriteUnknown) }
    close(file)
    self.memory = memory
  }

  func note(_ input: [UInt8]) {
    let count = min(input.count, Self.capacity - 8)
    memory.storeBytes(of: UInt64(count), as: UInt64.self)
    let place = UnsafeMutableRawBufferPointer(start: memory + 8, count: count)
    place.copyBytes(from: input.prefix(count))
  }

  static func contents(of path: String) throws -> [UInt8] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    guard bytes.count == capacity else { return bytes }
    let count = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    return Array(bytes.dropFirst(8).prefix(count))
  }
}
