internal import Fields

// Things and results can be encoded: in the JSON of the command line and the service, which the manual describes. What
// those add for a day, such as how long ago something was, is not in it.

extension Shown {
  fileprivate func encodeShown(to encoder: any Encoder) throws {
    let node: JSONNode
    do throws(JSONFailure) { node = try JSONNode(parsing: Self.shown.json(self)) } catch {
      preconditionFailure("JSON is written as it is read: \(error.reason)")
    }
    try node.encode(to: encoder)
  }
}

extension Entry: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}

extension Plant: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}

extension Activity: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}

extension Change: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}

extension History: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}

extension Commit: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}

extension Tag: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}

extension Insights: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}

extension FileOutcome: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try OutcomeDocument(self).encodeShown(to: encoder)
  }
}

extension ImportSummary: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try ImportSummaryDocument(self, isDryRun: false).encodeShown(to: encoder)
  }
}

extension DiaryImportReport: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}

extension VerifySummary: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}

extension BackupSummary: Encodable {
  public func encode(to encoder: any Encoder) throws { try encodeShown(to: encoder) }
}
