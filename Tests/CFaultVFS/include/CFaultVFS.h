#ifndef CFAULTVFS_H
#define CFAULTVFS_H

/// What SQLite is about to do to a file.
typedef enum {
  FAULT_CREATE,
  FAULT_WRITE,
  FAULT_TRUNCATE,
  FAULT_SYNC,
  FAULT_DELETE,
} fault_operation;

/// What the tests do around each of SQLite's operations.
typedef struct {
  /// Called before, and takes the lock that guards this module's state. Returns 0, or the errno with
  /// which the operation fails instead of being done.
  int (*enter)(fault_operation operation);
  /// Called after, whether the operation was done or failed. Lets go of the lock.
  void (*leave)(void);
} fault_hooks;

/// Makes a VFS that wraps the default one SQLite's default. Once a process.
///
/// Syncs are noted and not passed on: nothing here outlives the machine, and what the tests look at is
/// what would have been lost.
int fault_vfs_register(fault_hooks hooks);

/// Puts every file back to where its last sync left it, as a power cut may. Only with the lock held;
/// SQLite's connections are of no use afterwards.
void fault_vfs_drop_unsynced(void);

/// fork(2), which Swift does not offer. Only while the process has no other thread.
int fault_fork(void);

#endif
