/* setfsuid(2), setfsgid(2) and statfs(2), whose headers Swift's Glibc module leaves out. */
#ifndef CFILESYSTEM_SHIM_H
#define CFILESYSTEM_SHIM_H

#include <sys/fsuid.h>
#include <sys/statfs.h>

#endif
