extension AccessRecord {
  /// The maximum number of valid links; one more ends the oldest.
  static let maxPairingCount = 20

  /// A link with which a single device gets a token.
  struct Pairing: Codable, Equatable {
    /// The name of the token.
    let name: String
    let digest: SecretDigest
    let beganAt: Int64

    /// Whether it has expired; it also counts as expired if the clock was set back.
    func isOver(at now: Timestamp) -> Bool {
      now.milliseconds < beganAt
        || now.milliseconds >= beganAt.addingSaturated(LibraryTokens.pairingMilliseconds)
    }
  }

  /// The valid pairing with this secret. Compares all of them, so that timing reveals nothing.
  func pairing(_ digest: SecretDigest, at now: Timestamp) -> Pairing? {
    let found: Pairing? = (pairings ?? []).reduce(nil) { $1.digest.isEqual(digest) ? $1 : $0 }
    return found.flatMap { $0.isOver(at: now) ? nil : $0 }
  }

  mutating func begin(_ pairing: Pairing, at now: Timestamp) {
    let others = (pairings ?? []).filter { !$0.isOver(at: now) }
    pairings = others.suffix(Self.maxPairingCount - 1) + [pairing]
  }

  /// Removes the pairing with this secret, and all that have expired.
  mutating func endPairing(_ digest: SecretDigest, at now: Timestamp) -> Pairing? {
    let found = pairing(digest, at: now)
    pairings?.removeAll { $0.isOver(at: now) || $0.digest.isEqual(digest) }
    if pairings?.isEmpty == true { pairings = nil }
    return found
  }

  /// The name if no token has it, otherwise the name with the first free number appended.
  func freeName(like name: String) -> String {
    let taken = Set(tokens.map { foldedName($0.name) })
    guard taken.contains(foldedName(name)) else { return name }
    let numbered = (2...).lazy.map { "\(name.prefix(190)) \($0)" }
    return numbered.first { !taken.contains(foldedName($0)) } ?? name
  }
}
