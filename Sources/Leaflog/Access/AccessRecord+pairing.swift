extension AccessRecord {
  /// How many links can be good at once; the oldest ends.
  static let maxPairingCount = 20

  /// A link with which one device gets a token.
  struct Pairing: Codable, Equatable {
    /// Of the token.
    let name: String
    let digest: SecretDigest
    let beganAt: Int64

    /// Also when the clock was put back.
    func isOver(at now: Timestamp) -> Bool {
      now.milliseconds < beganAt
        || now.milliseconds >= beganAt.addingSaturated(LibraryTokens.pairingMilliseconds)
    }
  }

  /// The pairing with this secret that is not over. All are compared, so that the time tells nothing.
  func pairing(_ digest: SecretDigest, at now: Timestamp) -> Pairing? {
    let found: Pairing? = (pairings ?? []).reduce(nil) { $1.digest.isEqual(digest) ? $1 : $0 }
    return found.flatMap { $0.isOver(at: now) ? nil : $0 }
  }

  mutating func begin(_ pairing: Pairing, at now: Timestamp) {
    let others = (pairings ?? []).filter { !$0.isOver(at: now) }
    pairings = others.suffix(Self.maxPairingCount - 1) + [pairing]
  }

  /// Takes out the pairing with this secret, and all that are over.
  mutating func endPairing(_ digest: SecretDigest, at now: Timestamp) -> Pairing? {
    let found = pairing(digest, at: now)
    pairings?.removeAll { $0.isOver(at: now) || $0.digest.isEqual(digest) }
    if pairings?.isEmpty == true { pairings = nil }
    return found
  }

  /// The name, or the first one with a number behind it that no token has.
  func freeName(like name: String) -> String {
    let taken = Set(tokens.map { foldedName($0.name) })
    guard taken.contains(foldedName(name)) else { return name }
    let numbered = (2...).lazy.map { "\(name.prefix(190)) \($0)" }
    return numbered.first { !taken.contains(foldedName($0)) } ?? name
  }
}
