/* setfsuid(2) and setfsgid(2), whose header Swift's Glibc module leaves out. */
#ifndef CFILEUSER_SHIM_H
#define CFILEUSER_SHIM_H

#include <sys/fsuid.h>

#endif
