#define _GNU_SOURCE
#include "unsynced.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Overwritten bytes, or a changed size.
typedef struct change {
  struct change *earlier;
  int64_t size;   // of the file before the change
  int64_t start;  // of the overwritten bytes
  int64_t count;
  char bytes[];
} change;

struct unsynced_file {
  struct unsynced_file *next;
  bool isNew;      // its name is not durable
  bool isDeleted;  // its name is gone, but not durably
  change *last;
  char *deleted;  // its contents at that time
  int64_t deletedCount;
  // Closing any descriptor of a file releases all of the process's locks on it (fcntl(2)), including SQLite's. So this
  // one stays open.
  int descriptor;
  char path[];
};

static unsynced_file *files;
static pthread_mutex_t listLock = PTHREAD_MUTEX_INITIALIZER;

unsynced_file *unsynced_find(const char *path) {
  pthread_mutex_lock(&listLock);
  unsynced_file *file = files;
  while (file && strcmp(file->path, path) != 0) file = file->next;
  if (!file) {
    file = calloc(1, sizeof *file + strlen(path) + 1);
    if (!file) abort();
    strcpy(file->path, path);
    file->descriptor = -1;
    file->next = files;
    files = file;
  }
  pthread_mutex_unlock(&listLock);
  return file;
}

static int64_t size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? status.st_size : 0;
}

static void read_bytes(unsynced_file *file, char *bytes, int64_t start, int64_t count) {
  if (file->descriptor < 0) file->descriptor = open(file->path, O_RDONLY | O_CLOEXEC);
  while (count > 0) {
    // Not pread, which may be made to fail.
    ssize_t got = syscall(SYS_pread64, file->descriptor, bytes, (size_t)count, start);
    if (got <= 0) abort();
    bytes += got;
    start += got;
    count -= got;
  }
}

static void forget(unsynced_file *file);

// Another file may have been put in place by a rename that SQLite does not know of: the changes were those of the former
// one.
static void follow(unsynced_file *file) {
  struct stat former, present;
  if (file->descriptor < 0 || file->isDeleted || fstat(file->descriptor, &former) != 0) return;
  if (stat(file->path, &present) != 0) return;
  if (former.st_ino == present.st_ino && former.st_dev == present.st_dev) return;
  forget(file);
  file->descriptor = -1;
}

static void remember(unsynced_file *file, int64_t start, int64_t count) {
  follow(file);
  int64_t size = size_of(file->path);
  int64_t kept = start >= size ? 0 : start + count > size ? size - start : count;
  change *new = malloc(sizeof *new + (size_t)kept);
  if (!new) abort();
  *new = (change){.earlier = file->last, .size = size, .start = start, .count = kept};
  if (kept > 0) read_bytes(file, new->bytes, start, kept);
  file->last = new;
}

static void forget(unsynced_file *file) {
  while (file->last) {
    change *last = file->last;
    file->last = last->earlier;
    free(last);
  }
  free(file->deleted);
  file->deleted = NULL;
  file->isDeleted = false;
}

void unsynced_did_create(unsynced_file *file) {
  // If an older file of that name was not removed durably, it would be back after a power cut.
  if (!file->isDeleted) file->isNew = true;
}

void unsynced_will_write(unsynced_file *file, int64_t start, int64_t count) {
  // While the removal of an older file is not durable, that file would be the one to come back.
  if (!file->isDeleted) remember(file, start, count);
}

void unsynced_will_truncate(unsynced_file *file, int64_t size) {
  int64_t before = size_of(file->path);
  if (!file->isDeleted) remember(file, size, size < before ? before - size : 0);
}

void unsynced_will_delete(unsynced_file *file, bool isDurable) {
  if (file->isNew || isDurable) {
    forget(file);
    file->isNew = false;
  } else if (!file->isDeleted) {
    file->deletedCount = size_of(file->path);
    file->deleted = malloc((size_t)file->deletedCount + 1);
    if (!file->deleted) abort();
    read_bytes(file, file->deleted, 0, file->deletedCount);
    file->isDeleted = true;
  }
  // The next file of that name is a different one.
  file->descriptor = -1;
}

void unsynced_did_sync(unsynced_file *file) {
  if (!file->isDeleted) forget(file);
}

static void did_sync_name(unsynced_file *file) {
  file->isNew = false;
  if (file->isDeleted) forget(file);
}

void unsynced_did_sync_folder(void) {
  for (unsynced_file *file = files; file; file = file->next) did_sync_name(file);
}

void unsynced_did_sync_folder_at(const char *path) {
  size_t count = strlen(path);
  for (unsynced_file *file = files; file; file = file->next) {
    const char *name = strrchr(file->path, '/');
    if (name && (size_t)(name - file->path) == count && strncmp(file->path, path, count) == 0) {
      did_sync_name(file);
    }
  }
}

static void put(int descriptor, const char *bytes, int64_t start, int64_t count) {
  while (count > 0) {
    ssize_t done = pwrite(descriptor, bytes, (size_t)count, start);
    if (done <= 0) abort();
    bytes += done;
    start += done;
    count -= done;
  }
}

void unsynced_drop_all(void) {
  for (unsynced_file *file = files; file; file = file->next) {
    if (file->isNew) {
      unlink(file->path);
      continue;
    }
    follow(file);
    if (!file->last && !file->isDeleted) continue;
    int descriptor = open(file->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    // The file is gone together with its folder, whose creation was not durable.
    if (descriptor < 0 && errno == ENOENT) continue;
    if (descriptor < 0) abort();
    if (file->isDeleted) {
      if (ftruncate(descriptor, 0) != 0) abort();
      put(descriptor, file->deleted, 0, file->deletedCount);
    }
    for (change *each = file->last; each; each = each->earlier) {
      if (ftruncate(descriptor, each->size) != 0) abort();
      put(descriptor, each->bytes, each->start, each->count);
    }
  }
}
