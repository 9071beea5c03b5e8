#ifndef CFAULTVFS_H
#define CFAULTVFS_H

/// An operation that SQLite is about to perform on a file.
typedef enum {
  FAULT_CREATE,
  FAULT_WRITE,
  FAULT_TRUNCATE,
  FAULT_SYNC,
  FAULT_DELETE,
} fault_operation;

/// Hooks that the tests run around each of SQLite's operations.
typedef struct {
  /// Called before an operation; takes the lock that guards this module's state. Returns 0, or the errno with which the
  /// operation fails without being performed.
  int (*enter)(fault_operation operation);
  /// Called after an operation, whether it was performed or failed. Releases the lock.
  void (*leave)(void);
} fault_hooks;

/// Registers a VFS that wraps the default one, and makes it SQLite's default. Once per process.
///
/// Syncs are recorded but not passed on: nothing here outlives the machine, and the tests look at what would have been
/// lost.
int fault_vfs_register(fault_hooks hooks);

/// Reverts every file to its state at its last sync, as a power cut may. Only with the lock held; SQLite's connections
/// are unusable afterwards.
void fault_vfs_drop_unsynced(void);

/// Records that a folder was synced otherwise than by SQLite, and with it the names of SQLite's files in it. Only with the
/// lock held.
void fault_vfs_did_sync_folder(const char *path);

/// Makes reads of regular files below a folder fail with EIO.
///
/// - position: of the read that fails, counted from 0; with `is_lasting` of the file of which all reads fail, in the order of
///   their first reads. None fails at -1.
void fault_reads_arm(const char *below, int position, int is_lasting);

/// How many reads there were, or files with `is_lasting`, and whether one failed.
int fault_reads_count(int *was_hit);

/// fork(2), which is unavailable in Swift. Only while the process has no other threads.
int fault_fork(void);

#endif
