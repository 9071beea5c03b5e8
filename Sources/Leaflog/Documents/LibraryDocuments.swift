package import Fields

/// The size of a library.
package struct StatisticsDocument: Shown {
  private let statistics: LibraryStatistics
  private let address: String?

  package init(_ statistics: LibraryStatistics, address: String? = nil) {
    (self.statistics, self.address) = (statistics, address)
  }

  package static let shown = Fields<StatisticsDocument>([
    Field(adding: "photos", .count) { $0.statistics.entryCounts[.photo] ?? 0 },
    Field(adding: "plants", .count) { $0.statistics.plantCount },
    Field(adding: "entries", entries) { $0.statistics },
    Field(adding: "sourceByteCount", .byteCount) { $0.statistics.sourceByteCount },
    Field(adding: "storedByteCount", .byteCount) { $0.statistics.storedByteCount },
    Field(adding: "renditions", renditions) { $0.statistics },
    // Photos in the trash, which are in none of the counts above.
    Field(adding: "trash", share) { $0.statistics.trash },
    Field(adding: "unreferenced", share) { $0.statistics.unreferenced },
    Field(adding: "cache", cache) { $0.statistics },
    // The address of the object store with the photos; absent when they are in the library's folder.
    Field(adding: "store", .text) { $0.address },
    // The number of commits of this machine that the object store lacks.
    Field(adding: "unsentCommits", .count) { $0.statistics.unsentCommitCount },
    // Where the library was backed up to from this machine, the latest first.
    Field(adding: "backups", each: BackupRecord.shown) { $0.statistics.backups },
  ]).named("Statistics")

  private static let entries = Fields<LibraryStatistics>(
    EntryKind.allCases.map { kind in
      Field(adding: kind.rawValue, .count) { $0.entryCounts[kind] ?? 0 }
    })

  private static let renditions = Fields<LibraryStatistics>(
    RenditionRole.allCases.map { role in
      Field(adding: role.rawValue, share) { $0.renditions[role] }
    })

  private static let share = Fields<LibraryStatistics.Share>([
    Field(adding: "count", .count) { $0.count },
    Field(adding: "byteCount", .byteCount) { $0.byteCount },
  ])

  private static let cache = Fields<LibraryStatistics>([
    Field(adding: "byteCount", .byteCount) { $0.previewCache.byteCount },
    Field(adding: "limit", .byteCount) { $0.previewCacheLimit },
  ])
}

extension BackupRecord: Shown {
  package static let shown = Fields<BackupRecord>([
    Field(adding: "place", .text) { $0.place },
    Field(adding: "lastSuccess", .moment) { $0.lastSuccess },
  ]).named("BackupRecord")
}

/// Settings of a library, each as its text.
package struct SettingsDocument: Shown {
  private let values: [LibrarySetting: String]

  package init(_ settings: some Sequence<LibrarySetting>, of library: Library) throws {
    var values: [LibrarySetting: String] = [:]
    for setting in settings { values[setting] = try library.settings.value(of: setting) }
    self.values = values
  }

  package static let shown = Fields<SettingsDocument>(
    LibrarySetting.allCases.map { setting in
      Field(adding: setting.rawValue, .text) { $0.values[setting] }
    })
}

/// The settings that the preparation of photos on another machine depends on.
package struct SendingRules: Shown {
  private let timeZone: String
  private let dayEnd: Int
  private let policy: StoragePolicy
  private let maxFileByteCount: Int
  private let takesPrepared: Bool
  private let wasPrepare: Bool

  /// - Parameter grant: of the token that asks.
  package init(_ library: Library, for grant: AccessGrant) throws {
    (takesPrepared, wasPrepare) = (grant.scope.includes(.writeDiary), grant.wasPrepare)
    timeZone = try library.settings.value(of: .timeZone)
    (dayEnd, policy) = (library.dayEnd, library.policy)
    maxFileByteCount = try library.settings.maxImportFileByteCount()
  }

  package static let shown = Fields<SendingRules>([
    Field(adding: "timeZone", .text) { $0.timeZone },
    Field(adding: "dayEnd", .whole(0...6)) { $0.dayEnd },
    Field(adding: "policy", .choice) { $0.policy },
    Field(adding: "maxFileByteCount", .byteCount) { $0.maxFileByteCount },
    // Whether photos may be prepared by the sender, which then records them with `PUT /sources/D`.
    Field(adding: "takesPrepared", .flag) { $0.takesPrepared },
    // Only of a token of the former extent `prepare`, which is read as `send`.
    Field(adding: "wasPrepare", .flag) { $0.wasPrepare ? true : nil },
  ]).named("SendingRules")
}

/// An access token.
extension CalendarContents: FieldValue {}
extension AccessScope.Extent: FieldValue {}

package struct TokenDocument: Shown {
  private let token: AccessToken
  private let secret: String?

  /// - Parameter secret: the secret, for a new token only.
  package init(_ token: AccessToken, secret: String? = nil) {
    (self.token, self.secret) = (token, secret)
  }

  package static let shown = Fields<TokenDocument>([
    Field(adding: "id", .id) { $0.token.id }, Field(adding: "name", .text) { $0.token.name },
    Field(adding: "createdAt", .moment) { $0.token.createdAt },
    Field(adding: "lastUsedAt", .moment) { $0.token.lastUsedAt },
    // Only of one that grants access to nothing but a calendar.
    Field(adding: "calendar", .choice) { $0.token.calendar },
    // Of any other.
    Field(adding: "may", .choice) { $0.token.calendar == nil ? $0.token.scope.extent : nil },
    Field(adding: "plant", .id) { $0.token.scope.plant },
    Field(adding: "until", .day) { $0.token.grant.lastDay },
    Field(adding: "secret", .text) { $0.secret },
  ]).named("Token")
}

/// Version, licence, privacy, and what Leaflog is not.
package struct AboutDocument: Shown {
  package init() {}

  package static let shown = Fields<AboutDocument>([
    Field(adding: "version", .text) { _ in About.version },
    Field(adding: "licence", .text) { _ in About.licence },
    Field(adding: "copyright", .text) { _ in About.copyright },
    Field(adding: "privacy", .text) { _ in About.privacy },
    Field(adding: "disclaimer", .text) { _ in About.disclaimer },
  ]).named("About")
}

extension StoragePolicy: FieldValue {}
extension ReminderPart: FieldValue {}
