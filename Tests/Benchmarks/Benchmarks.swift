import Foundation

/// Measures the README's claims. Every figure is printed with a limit measured in the same run.
@main
struct Benchmarks {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "timeline":
      try TimelineBenchmark(
        entryCount: arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
      )
      .run()
    case "scale":
      let counts = arguments.dropFirst().compactMap { Int($0) }
      try ScaleBenchmark(entryCounts: counts.isEmpty ? [1_000_000, 10_000_000] : counts).run()
    case "library" where arguments.count >= 3:
      try ScaleBenchmark.makeLibrary(at: arguments[1], entryCount: Int(arguments[2]) ?? 0)
    case "diary":
      try DiaryBenchmark(
        entryCount: arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
      ).run()
    case "import" where arguments.count >= 2:
      try ImportBenchmark(photos: arguments[1], peers: Array(arguments.dropFirst(2))).run()
    case "pictures":
      let counts = arguments.dropFirst().compactMap { Int($0) }
      try SamePictureBenchmark(counts: counts.isEmpty ? [1000, 5000, 20_000] : counts).run()
    case "alignment" where arguments.count >= 2:
      try AlignmentBenchmark(
        folder: arguments[1], output: arguments.dropFirst(2).first
      ).run()
    case "store" where arguments.count >= 4:
      try StoreBenchmark(
        endpoint: arguments[1], bucket: arguments[2], photos: arguments[3]
      ).run()
    default:
      print(
        """
        usage: Benchmarks timeline [ENTRIES]
               Benchmarks scale [ENTRIES]...
               Benchmarks library FOLDER ENTRIES
               Benchmarks diary [ENTRIES]
               Benchmarks import FOLDER [PEER-COMMAND]...
               Benchmarks pictures [PHOTOS]...
               Benchmarks alignment FOLDER [OUTPUT-FOLDER]
               Benchmarks store ENDPOINT BUCKET FOLDER

        A peer command is run by sh with the photos in "$@" and a fresh folder in $OUT, e.g.
        './import-limit $OUT 2 0 1 "$@"'.
        """)
      exit(64)
    }
  }
}
