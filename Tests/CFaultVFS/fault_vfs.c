#include "CFaultVFS.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unsynced.h"

// A shim as described in "The SQLite OS Interface or VFS" (https://www.sqlite.org/vfs.html, 2.2).

static fault_hooks hooks;
static sqlite3_vfs *real;

typedef struct {
  sqlite3_file base;
  unsynced_file *state;  // NULL for a temporary file, which cannot be found again
  bool syncsFolder;      // with the next sync
  sqlite3_file inner;    // followed by the data of the real VFS
} fault_file;

static sqlite3_file *inner(sqlite3_file *file) { return &((fault_file *)file)->inner; }
static unsynced_file *state(sqlite3_file *file) { return ((fault_file *)file)->state; }

static int result(int error, int otherwise) { return error == ENOSPC ? SQLITE_FULL : otherwise; }

static int fault_close(sqlite3_file *file) { return inner(file)->pMethods->xClose(inner(file)); }

static int fault_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 start) {
  return inner(file)->pMethods->xRead(inner(file), bytes, count, start);
}

static int fault_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 start) {
  if (!state(file)) return inner(file)->pMethods->xWrite(inner(file), bytes, count, start);
  int error = hooks.enter(FAULT_WRITE);
  int code = result(error, SQLITE_IOERR_WRITE);
  if (!error) {
    unsynced_will_write(state(file), start, count);
    code = inner(file)->pMethods->xWrite(inner(file), bytes, count, start);
  }
  hooks.leave();
  return code;
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (!state(file)) return inner(file)->pMethods->xTruncate(inner(file), size);
  int error = hooks.enter(FAULT_TRUNCATE);
  int code = result(error, SQLITE_IOERR_TRUNCATE);
  if (!error) {
    unsynced_will_truncate(state(file), size);
    code = inner(file)->pMethods->xTruncate(inner(file), size);
  }
  hooks.leave();
  return code;
}

static int fault_sync(sqlite3_file *file, int flags) {
  (void)flags;
  if (!state(file)) return SQLITE_OK;
  int error = hooks.enter(FAULT_SYNC);
  if (!error) {
    fault_file *mine = (fault_file *)file;
    unsynced_did_sync(mine->state);
    if (mine->syncsFolder) unsynced_did_sync_folder();
    mine->syncsFolder = false;
  }
  hooks.leave();
  return error ? result(error, SQLITE_IOERR_FSYNC) : SQLITE_OK;
}

static int fault_file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return inner(file)->pMethods->xFileSize(inner(file), size);
}

static int fault_lock(sqlite3_file *file, int level) {
  return inner(file)->pMethods->xLock(inner(file), level);
}

static int fault_unlock(sqlite3_file *file, int level) {
  return inner(file)->pMethods->xUnlock(inner(file), level);
}

static int fault_check_reserved_lock(sqlite3_file *file, int *isLocked) {
  return inner(file)->pMethods->xCheckReservedLock(inner(file), isLocked);
}

static int fault_file_control(sqlite3_file *file, int operation, void *argument) {
  return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}

static int fault_sector_size(sqlite3_file *file) {
  return inner(file)->pMethods->xSectorSize(inner(file));
}

static int fault_characteristics(sqlite3_file *file) {
  return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}

static int fault_shm_map(
    sqlite3_file *file, int page, int size, int extend, void volatile **region) {
  return inner(file)->pMethods->xShmMap(inner(file), page, size, extend, region);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return inner(file)->pMethods->xShmLock(inner(file), offset, count, flags);
}

static void fault_shm_barrier(sqlite3_file *file) {
  inner(file)->pMethods->xShmBarrier(inner(file));
}

static int fault_shm_unmap(sqlite3_file *file, int isDeleting) {
  return inner(file)->pMethods->xShmUnmap(inner(file), isDeleting);
}

// Version 2 has shared memory, which is empty after a power cut and recreated by SQLite
// (https://www.sqlite.org/walformat.html, 2.2), and no memory mapping of the database.
static const sqlite3_io_methods methods = {
    2,
    fault_close,
    fault_read,
    fault_write,
    fault_truncate,
    fault_sync,
    fault_file_size,
    fault_lock,
    fault_unlock,
    fault_check_reserved_lock,
    fault_file_control,
    fault_sector_size,
    fault_characteristics,
    fault_shm_map,
    fault_shm_lock,
    fault_shm_barrier,
    fault_shm_unmap,
    NULL,
    NULL,
};

static int fault_open(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *openedFlags) {
  (void)vfs;
  fault_file *mine = (fault_file *)file;
  file->pMethods = NULL;
  mine->state = NULL;
  mine->syncsFolder = false;
  bool creates = path && flags & SQLITE_OPEN_CREATE && access(path, F_OK) != 0;
  int error = creates ? hooks.enter(FAULT_CREATE) : 0;
  int code = result(error, SQLITE_CANTOPEN);
  if (!error) {
    code = real->xOpen(real, path, inner(file), flags, openedFlags);
    if (code == SQLITE_OK && path) {
      // SQLite syncs the folder with the first sync of a log or journal, and never for a database.
      mine->syncsFolder = flags & SQLITE_OPEN_CREATE && !(flags & SQLITE_OPEN_MAIN_DB);
      mine->state = unsynced_find(path);
      if (creates) unsynced_did_create(mine->state);
    }
  }
  if (creates) hooks.leave();
  if (!error && inner(file)->pMethods) file->pMethods = &methods;
  return code;
}

static int fault_delete(sqlite3_vfs *vfs, const char *path, int syncsFolder) {
  (void)vfs;
  if (access(path, F_OK) != 0) return real->xDelete(real, path, syncsFolder);
  int error = hooks.enter(FAULT_DELETE);
  int code = SQLITE_IOERR_DELETE;
  if (!error) {
    unsynced_will_delete(unsynced_find(path), syncsFolder != 0);
    code = real->xDelete(real, path, 0);
  }
  hooks.leave();
  return code;
}

int fault_vfs_register(fault_hooks given) {
  static sqlite3_vfs shim;
  hooks = given;
  real = sqlite3_vfs_find(NULL);
  if (!real) return SQLITE_ERROR;
  shim = *real;
  shim.zName = "fault";
  shim.pNext = NULL;
  shim.szOsFile = (int)sizeof(fault_file) + real->szOsFile;
  shim.xOpen = fault_open;
  shim.xDelete = fault_delete;
  return sqlite3_vfs_register(&shim, 1);
}

int fault_fork(void) { return fork(); }

void fault_vfs_drop_unsynced(void) { unsynced_drop_all(); }

void fault_vfs_did_sync_folder(const char *path) { unsynced_did_sync_folder_at(path); }
