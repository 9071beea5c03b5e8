internal import Foundation

/// A browser on a device that gets the reminder as a message (Web Push, RFC 8030).
package struct PushDevice: Sendable, Hashable, Codable {
  /// The address at the browser's push service to which messages are sent.
  package let address: String
  /// The browser's public key (P-256) in base64url (RFC 8291, 3.2).
  package let publicKey: String
  /// The browser's authentication secret of 16 bytes in base64url (RFC 8291, 3.2).
  package let secret: String
  /// The address of the service's first page, as this browser has it.
  package let site: String
  /// The languages that the browser prefers, the most preferred first.
  package let languages: [String]
  /// The status with which the push service last refused a message; nil if it took it.
  package fileprivate(set) var refusal: Int?
  /// The id of the token by which it was added.
  package fileprivate(set) var token = ""
  /// The session through which it was added; nil for a program with the token itself.
  fileprivate(set) var session: SecretDigest?

  package init(
    address: String, publicKey: String, secret: String, site: String, languages: [String]
  ) {
    (self.address, self.publicKey, self.secret) = (address, publicKey, secret)
    (self.site, self.languages) = (site, languages)
  }
}

/// What `access.json` has of messages to devices.
struct PushRecord: Codable, Equatable {
  /// The private key by which push services know the library's service (RFC 8292): 32 bytes, big-endian.
  let key: Data
  var devices: [PushDevice] = []
  /// The number of the last day whose reminder was sent, or found to be unnecessary.
  var lastDay: Int?
}

/// Messages to devices. As they are in the file of the tokens, they end with their token or session, and are in no backup
/// and no replica.
extension LibraryTokens {
  /// How many devices a token may have; one more ends the one that was added or renewed first.
  static let maxPushDeviceCount = 10

  /// The private key by which push services know this library: 32 bytes. Nil before the first device.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be read.
  package func pushKey() throws(LeaflogError) -> [UInt8]? {
    try file.read().record.push.map { Array($0.key) }
  }

  /// The same key; if there is none, another one is kept.
  ///
  /// - Parameter new: a key of 32 bytes.
  package func pushKey(orKeep new: [UInt8]) throws(LeaflogError) -> [UInt8] {
    if let key = try pushKey() { return key }
    return try update { record in
      let push = record.push ?? PushRecord(key: Data(new))
      record.push = push
      return Array(push.key)
    }
  }

  /// Adds a device, or renews one with the same address.
  ///
  /// - Parameters:
  ///   - token: the token of the request.
  ///   - secrets: those of the sessions that the request carries.
  /// - Throws: `LeaflogError` with code `notFound` when the token no longer exists, and `conflict` when there is no key yet.
  package func add(
    _ device: PushDevice, of token: TokenID, sessions secrets: [String]
  ) throws(LeaflogError) {
    let sent = secrets.compactMap { SecretDigest(of: $0) }
    func added(_ record: AccessRecord) -> PushDevice {
      var device = device
      device.token = token.description
      device.session =
        record.sessions.first { sent.contains($0.digest) && $0.token == device.token }?.digest
      device.refusal = record.push?.devices.first { $0.address == device.address }?.refusal
      return device
    }
    let record = try file.read().record
    if record.push?.devices.contains(added(record)) == true { return }
    try update { record in
      guard record.tokens.contains(where: { $0.id == token.description }) else {
        throw LeaflogError(.notFound, "There is no such token any more.", remedy: .listTokens)
      }
      guard record.push != nil else {
        throw LeaflogError(
          .conflict, "No browser has asked for the key yet that it subscribes with.")
      }
      let device = added(record)
      record.push?.devices.removeAll { $0.address == device.address }
      let others = record.push?.devices.filter { $0.token == device.token } ?? []
      if others.count >= Self.maxPushDeviceCount, let first = others.first {
        record.push?.devices.removeAll { $0.address == first.address }
      }
      record.push?.devices.append(device)
    }
  }

  /// Removes the device of a token with an address, if there is one.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be written.
  package func removePushDevice(at address: String, of token: TokenID) throws(LeaflogError) {
    try update { record in
      record.push?.devices.removeAll {
        $0.address == address && $0.token == token.description
      }
    }
  }

  /// Removes a device that its push service does not know any more.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be written.
  package func removePushDevice(at address: String) throws(LeaflogError) {
    try update { $0.push?.devices.removeAll { $0.address == address } }
  }

  /// Notes the outcome of a message to a device.
  ///
  /// - Parameter refusal: the status with which the push service refused it; nil if it took it.
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be written.
  package func note(refusal: Int?, ofDeviceAt address: String) throws(LeaflogError) {
    let known = try file.read().record.push?.devices.first { $0.address == address }
    guard let known, known.refusal != refusal else { return }
    try update { record in
      for index in (record.push?.devices ?? []).indices
      where record.push?.devices[index].address == address {
        record.push?.devices[index].refusal = refusal
      }
    }
  }

  /// The devices whose tokens are valid today and read the diary.
  ///
  /// - Parameter token: the only one whose devices are wanted; nil for all.
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be read.
  package func pushDevices(of token: TokenID? = nil) throws(LeaflogError) -> [PushDevice] {
    let (record, day) = (try file.read().record, library.calendarDay)
    let readers = record.tokens.filter {
      $0.isValid(on: day) && AccessToken($0).scope.includes(.readDiary)
        && (token == nil || $0.id == token?.description)
    }
    let ids = Set(readers.map(\.id))
    return record.push?.devices.filter { ids.contains($0.token) } ?? []
  }

  /// Whether the reminder of a day was neither sent nor found to be unnecessary yet.
  ///
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be read.
  package func isReminderOpen(of day: LocalDay) throws(LeaflogError) -> Bool {
    try file.read().record.push.map { $0.lastDay != day.dayNumber } ?? false
  }

  /// Records durably that the reminder of a day is being sent, so that no other service and no restart sends it again.
  ///
  /// - Returns: whether nobody had recorded that before.
  /// - Throws: `LeaflogError` when the file of the tokens is damaged or cannot be written.
  package func recordReminder(of day: LocalDay) throws(LeaflogError) -> Bool {
    try update { record in
      guard record.push != nil, record.push?.lastDay != day.dayNumber else { return false }
      record.push?.lastDay = day.dayNumber
      return true
    }
  }
}
