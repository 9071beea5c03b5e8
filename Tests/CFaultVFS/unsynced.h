#ifndef UNSYNCED_H
#define UNSYNCED_H

#include <stdbool.h>
#include <stdint.h>

/// The state of a file at its last sync, as far as it has changed since. One for each path, for the lifetime of the
/// process.
typedef struct unsynced_file unsynced_file;

unsynced_file *unsynced_find(const char *path);

void unsynced_did_create(unsynced_file *file);
void unsynced_will_write(unsynced_file *file, int64_t start, int64_t count);
void unsynced_will_truncate(unsynced_file *file, int64_t size);
void unsynced_will_delete(unsynced_file *file, bool isDurable);
void unsynced_did_sync(unsynced_file *file);
/// All files are in one folder.
void unsynced_did_sync_folder(void);
/// As another program does, whose syncs SQLite does not see.
void unsynced_did_sync_folder_at(const char *path);
void unsynced_drop_all(void);

#endif
