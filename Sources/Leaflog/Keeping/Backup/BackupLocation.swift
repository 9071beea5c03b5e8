/// The location of a backup.
public enum BackupLocation: Sendable, Hashable {
  /// The path of a folder.
  case folder(String)
  /// A place in an S3-compatible store.
  case objectStore(ObjectStoreSettings)
}
