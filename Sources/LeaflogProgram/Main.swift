import LeaflogCommand
import ServeCommands

/// The program `leaflog`.
@main
enum Main {
  static func main() async { await runProgram(ServiceCommandList.self) }
}
