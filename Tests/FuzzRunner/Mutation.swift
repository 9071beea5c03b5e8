internal import TestSupport

/// Damaged inputs, reproducible by seed: valid ones that are cut, spliced, or have bits, numbers and words changed.
struct Mutation {
  private var random: SplitMix64
  private var pool: [[UInt8]]
  private let words: [[UInt8]]
  private let seedCount: Int

  /// Inputs do not grow beyond this.
  private static let maxByteCount = 65_536
  private static let numbers: [UInt64] = [
    0, 1, 2, 7, 8, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
    0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF,
  ]

  init(seeds: [[UInt8]], words: [String], seed: UInt64) {
    (pool, seedCount) = (seeds, seeds.count)
    self.words = words.map { Array($0.utf8) }
    random = SplitMix64(state: seed)
  }

  mutating func next() -> [UInt8] {
    var input = pool[random.below(pool.count)]
    for _ in 0...random.below(6) { change(&input) }
    input = Array(input.prefix(Self.maxByteCount))
    // Some damaged inputs are kept, to be damaged further.
    if random.below(8) == 0 {
      if pool.count < seedCount + 64 {
        pool.append(input)
      } else {
        pool[seedCount + random.below(64)] = input
      }
    }
    return input
  }

  private mutating func change(_ input: inout [UInt8]) {
    let at = random.below(input.count + 1)
    let span = at..<min(input.count, at + random.below(random.below(64) + 1))
    switch random.below(9) {
    case 0 where at < input.count: input[at] ^= 1 << UInt8(random.below(8))
    case 1 where at < input.count: input[at] = UInt8(truncatingIfNeeded: random.next())
    case 2: input.removeSubrange(span)
    case 3: input.insert(contentsOf: input[span], at: at)
    case 4: overwrite(&input, at, number())
    case 5: input.removeLast(random.below(random.below(input.count + 1) + 1))
    case 6 where !words.isEmpty:
      let word = words[random.below(words.count)]
      if random.below(2) == 0 {
        input.insert(contentsOf: word, at: at)
      } else {
        overwrite(&input, at, word)
      }
    case 7:
      let other = pool[random.below(pool.count)]
      input = Array(input[..<at] + other[random.below(other.count + 1)...])
    default:
      input.insert(
        contentsOf: [UInt8](repeating: input.last ?? 0, count: random.below(300)), at: at)
    }
  }

  /// A boundary value of some size, or a value near one, in either byte order.
  private mutating func number() -> [UInt8] {
    let size = [1, 2, 4, 8][random.below(4)]
    let value = Self.numbers[random.below(Self.numbers.count)] &+ UInt64(random.below(5)) &- 2
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    return random.below(2) == 0 ? bytes : bytes.reversed()
  }

  private func overwrite(_ input: inout [UInt8], _ at: Int, _ bytes: [UInt8]) {
    input.replaceSubrange(at..<min(input.count, at + bytes.count), with: bytes)
  }
}
