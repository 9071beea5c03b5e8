internal import Foundation

/// The scope of a token: the rights that it includes, and the plant that they are limited to.
public struct AccessScope: Sendable, Hashable {
  /// How far it goes.
  @nonexhaustive
  public enum Extent: String, Sendable, CaseIterable {
    /// All that the service offers, with tokens, settings and what removes things for good.
    case everything
    /// Reading and writing the diary, but nothing that administers the library or removes anything for good.
    case diary
    /// Photos, plants, and the activities of plants. No health entry, no quote, no export.
    case photos
    /// Sending photos as they are, and asking whether a file is known.
    case send
    /// Reading the diary.
    case read
  }

  /// How far it goes, which decides its rights.
  public let extent: Extent
  /// The only plant that it is about; nil for all, and for what belongs to none.
  public let plant: PlantID?

  /// All that the service offers.
  public static let everything = AccessScope(.everything)

  /// - Parameter plant: only together with `photos`, `send` and `read`, as other things belong to no plant; it is left out
  ///   with the others.
  public init(_ extent: Extent, plant: PlantID? = nil) {
    (self.extent, self.plant) = (extent, extent.takesPlant ? plant : nil)
  }

  /// Whether it includes a right.
  public func includes(_ right: AccessRight) -> Bool {
    extent.rights.contains(right) && (plant == nil || right.isOfPlants)
  }

  /// Whether it includes all that another one does.
  package func includes(_ other: AccessScope) -> Bool {
    (plant == nil || plant == other.plant)
      && AccessRight.allCases.allSatisfy { includes($0) || !other.includes($0) }
  }

  /// Whether the whole library is seen.
  package var seesAll: Bool { includes(.readDiary) }
}

/// Something that a request needs, of which each scope includes some.
@nonexhaustive
public enum AccessRight: String, Sendable, CaseIterable {
  /// Seeing photos, plants, and the activities of plants.
  case readPhotos
  /// Seeing everything in the diary, and exporting it.
  case readDiary
  /// Changing photos, plants, and the activities of plants.
  case writePhotos
  /// Changing everything in the diary, also by photos that were prepared elsewhere, whose files nobody here has seen.
  case writeDiary
  /// Sending photos, and asking whether a file is known.
  case send
  /// Tokens, settings, the store, and removing things for good.
  case administer

  /// Whether it makes sense for a single plant.
  fileprivate var isOfPlants: Bool {
    switch self {
    case .readPhotos, .writePhotos, .send: true
    case .readDiary, .writeDiary, .administer: false
    }
  }
}

extension AccessScope.Extent {
  fileprivate var rights: Set<AccessRight> {
    switch self {
    case .everything: Set(AccessRight.allCases)
    case .diary: Set(AccessRight.allCases).subtracting([.administer])
    case .photos: [.readPhotos, .writePhotos, .send]
    case .send: [.send]
    case .read: [.readPhotos, .readDiary]
    }
  }

  /// Whether it can be limited to a plant.
  public var takesPlant: Bool {
    switch self {
    case .photos, .send, .read: true
    case .everything, .diary: false
    }
  }
}

/// The scope of a new token, and its last day.
public struct AccessGrant: Sendable, Hashable {
  /// The rights of the token, and the plant that they are limited to.
  public let scope: AccessScope
  /// The last day on which it is valid, of the calendar in the library's zone; nil for a token without an end.
  public let lastDay: LocalDay?

  /// Whether it was of the former extent `prepare`, which allowed sending photos that were prepared elsewhere.
  package var wasPrepare = false

  /// Everything, without an end.
  public static let everything = AccessGrant(.everything)

  /// - Parameter lastDay: the last day on which it is valid; nil for no end.
  public init(_ scope: AccessScope, until lastDay: LocalDay? = nil) {
    (self.scope, self.lastDay) = (scope, lastDay)
  }

  /// The grant of a token that another version has written, and this one does not know.
  static let nothing = AccessGrant(AccessScope(.send), until: LocalDay(dayNumber: 0))

  /// Whether it includes all that another one does, for as long.
  package func includes(_ other: AccessGrant) -> Bool {
    scope.includes(other.scope)
      && (lastDay.map { own in other.lastDay.map { $0 <= own } ?? false } ?? true)
  }
}

/// A grant as `access.json` has it: nothing is written for what is not limited, as in files of format 1.
struct StoredGrant: Codable, Equatable {
  /// The name of an extent; nil for everything. `prepare`, which earlier versions have written, is read as `send`.
  let may: String?
  /// The id of a plant.
  let plant: String?
  /// A day.
  let until: String?

  init?(_ grant: AccessGrant) {
    guard grant != .everything else { return nil }
    (may, plant) = (grant.scope.extent.rawValue, grant.scope.plant?.description)
    until = grant.lastDay?.description
  }

  /// The grant; nil for one that this version does not know, which grants nothing.
  var grant: AccessGrant? {
    let wasPrepare = may == "prepare"
    let extent = wasPrepare ? .send : AccessScope.Extent(rawValue: may ?? "everything")
    guard let extent, plant == nil || extent.takesPlant,
      let lastDay = until.map({ LocalDay($0) }) ?? .some(nil)
    else { return nil }
    var grant = AccessGrant(
      AccessScope(extent, plant: plant.map(PlantID.init(stored:))), until: lastDay)
    grant.wasPrepare = wasPrepare
    return grant
  }
}
