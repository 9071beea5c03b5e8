#ifndef CSQLITESESSION_SHIM_H
#define CSQLITESESSION_SHIM_H

// SQLite's session extension (https://www.sqlite.org/sessionintro.html). Debian's library is built with
// it, and sqlite3.h declares it only where these are defined, which is not so in the module by which
// GRDB imports that header.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

#endif
