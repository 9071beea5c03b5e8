import LeaflogCommand

/// The program `leaflog`.
@main
enum Main {
  static func main() async { await runProgram() }
}
