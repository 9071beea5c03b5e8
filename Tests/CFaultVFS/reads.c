// Makes reads of files fail, as bad sectors do. The program's own read(2) and pread(2) take the place of libc's.

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CFaultVFS.h"

enum { MAX_FILES = 512 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static int planned = -1, lasts, count, hit;
static char *files[MAX_FILES];

void fault_reads_arm(const char *below, int position, int is_lasting) {
  pthread_mutex_lock(&lock);
  snprintf(folder, sizeof folder, "%s/", below);
  planned = position;
  lasts = is_lasting;
  count = hit = 0;
  pthread_mutex_unlock(&lock);
}

int fault_reads_count(int *was_hit) {
  pthread_mutex_lock(&lock);
  *was_hit = hit;
  int found = count;
  pthread_mutex_unlock(&lock);
  return found;
}

// The number of a file in the order of first reads.
static int number_of(const char *path) {
  for (int file = 0; file < count; file++)
    if (strcmp(files[file], path) == 0) return file;
  if (count == MAX_FILES) return -1;
  files[count] = strdup(path);
  return count++;
}

static int fails(int fd) {
  if (folder[0] == 0) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  struct stat status;
  if (strncmp(path, folder, strlen(folder)) != 0 || fstat(fd, &status) != 0 ||
      !S_ISREG(status.st_mode))
    return 0;
  pthread_mutex_lock(&lock);
  int met = (lasts ? number_of(path) : count++) == planned;
  hit |= met;
  pthread_mutex_unlock(&lock);
  return met;
}

ssize_t read(int fd, void *bytes, size_t size) {
  if (fails(fd)) {
    errno = EIO;
    return -1;
  }
  return syscall(SYS_read, fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset) {
  if (fails(fd)) {
    errno = EIO;
    return -1;
  }
  return syscall(SYS_pread64, fd, bytes, size, offset);
}

ssize_t pread64(int fd, void *bytes, size_t size, off_t offset) {
  return pread(fd, bytes, size, offset);
}
