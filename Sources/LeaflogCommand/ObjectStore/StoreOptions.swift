import ArgumentParser
internal import Leaflog

/// The place of a library's photos in an object store.
struct StoreOptions: ParsableArguments {
  @Option(help: "Keep photos in an S3-compatible store: s3://bucket/prefix.")
  var store: String?

  @OptionGroup var connection: StoreConnectionOptions

  @OptionGroup var journal: StoreJournalOptions

  func settings(in context: CommandContext) throws -> ObjectStoreSettings? {
    guard let store else {
      if connection.endpoint != nil {
        throw ValidationError("--endpoint requires --store s3://bucket/prefix.")
      }
      return nil
    }
    return try journal.settings(connection.settings(store, in: context))
  }
}

/// The time at which an object store gets the changes to a library.
struct StoreJournalOptions: ParsableArguments {
  @Option(
    help: """
      When changes are sent to the store: sync, before they are acknowledged; or async, in batches at \
      most five seconds later, which is faster but loses them if this machine fails in the meantime.
      """)
  var journal = ObjectStoreSettings.Journal.sync

  /// The settings of a library's store, given its `connection`.
  func settings(_ connection: ObjectStoreSettings) -> ObjectStoreSettings {
    var settings = connection
    settings.journal = journal
    return settings
  }
}

/// The connection to an object store.
struct StoreConnectionOptions: ParsableArguments {
  @Option(help: "The store's address, e.g. https://s3.example.org.")
  var endpoint: String?

  @Option(help: "The store's region, if it has one.")
  var region = "us-east-1"

  @Flag(help: "Put the bucket in the host name instead of the path of addresses.")
  var virtualHost = false

  @Option(help: "The storage class of photos, as the store names it.")
  var storageClass: String?

  @Option(
    name: .customLong("ca"), help: "A PEM file with the certificate authority of the store.",
    completion: .file())
  var authorities: String?

  /// A folder, or a place in an object store.
  func backup(_ place: String, in context: CommandContext) throws -> BackupLocation {
    if place.hasPrefix("s3://") { return .objectStore(try settings(place, in: context)) }
    if endpoint != nil {
      throw ValidationError(
        "--endpoint requires a location in an object store: s3://bucket/prefix.")
    }
    return .folder(context.path(place))
  }

  func settings(_ url: String, in context: CommandContext) throws -> ObjectStoreSettings {
    guard let endpoint else {
      throw ValidationError("Name the store's address, e.g. --endpoint https://s3.example.org.")
    }
    var settings = ObjectStoreSettings(url: url, endpoint: endpoint)
    settings.region = region
    settings.usesPathStyle = !virtualHost
    settings.storageClass = storageClass
    settings.authorities = authorities.map(context.path)
    return settings
  }
}
