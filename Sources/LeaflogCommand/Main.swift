internal import Foundation
internal import Leaflog

/// The program `leaflog`.
@main
enum Main {
  static func main() async {
    Diagnostics.start()
    ImportProcess.prepare()
    exit(await run(Array(CommandLine.arguments.dropFirst()), in: .current))
  }
}
