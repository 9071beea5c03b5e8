extension Duration {
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  /// In seconds, to the millisecond.
  package var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }
}
