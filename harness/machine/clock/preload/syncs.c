// Waiting for a disk.
//
// On virtual time nothing depends on a disk that is slow or shared. What a machine loses with its power is
// not lost by killing a process either: whoever plays that cuts the files to what was to be synced by then.
// So syncing a file takes no time and does nothing. Pipes and sockets are refused as ever.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page.h"

DECLARE_REAL(fsync);
DECLARE_REAL(fdatasync);
DECLARE_REAL(syncfs);
DECLARE_REAL(sync_file_range);

static bool needs_no_sync(int descriptor) {
  struct stat status;
  return virtual_page() != NULL && fstat(descriptor, &status) == 0 &&
         (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

EXPORT int fsync(int descriptor) {
  return needs_no_sync(descriptor) ? 0 : REAL(fsync)(descriptor);
}

EXPORT int fdatasync(int descriptor) {
  return needs_no_sync(descriptor) ? 0 : REAL(fdatasync)(descriptor);
}

EXPORT int syncfs(int descriptor) {
  return needs_no_sync(descriptor) ? 0 : REAL(syncfs)(descriptor);
}

EXPORT int sync_file_range(int descriptor, off64_t from, off64_t length, unsigned int flags) {
  return needs_no_sync(descriptor) ? 0 : REAL(sync_file_range)(descriptor, from, length, flags);
}
