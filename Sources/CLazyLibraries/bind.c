#include "lazy_libraries.h"

#include <dlfcn.h>
#include <jxl/decode.h>
#include <openssl/opensslv.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

/* The sonames of the shared libraries. Until 1.0, libjxl's is its version; libcrypto's is its major one. */
#define NAME(variable, name) __attribute__((visibility("hidden"))) const char leaflog_##variable[] = name
NAME(vips, "libvips.so.42");
NAME(jxl, "libjxl.so." TEXT(JPEGXL_MAJOR_VERSION) "." TEXT(JPEGXL_MINOR_VERSION));
NAME(chafa, "libchafa.so.0");
NAME(crypto, "libcrypto.so." TEXT(OPENSSL_VERSION_MAJOR));
NAME(curl, "libcurl.so.4");
NAME(qrencode, "libqrencode.so.4");
NAME(pango, "libpango-1.0.so.0");
NAME(pangocairo, "libpangocairo-1.0.so.0");
NAME(cairo, "libcairo.so.2");
NAME(gobject, "libgobject-2.0.so.0");
NAME(glib, "libglib-2.0.so.0");

/* A function, as functions.S lays it out. */
typedef struct {
  void *address; /* the jump target */
  const char *name;
  const char *library;
} Function;

extern Function leaflog_functions[], leaflog_functions_end[];

static void *find(const Function *function) {
  void *library = dlopen(function->library, RTLD_LAZY | RTLD_LOCAL);
  return library ? dlsym(library, function->name) : NULL;
}

/* Called by the first call of a function, on any thread; a concurrent call finds the same address. */
__attribute__((visibility("hidden"))) void *leaflog_bind(Function *function) {
  void *address = find(function);
  if (!address) {
    /* As ld.so(8) does for a library that is missing when a program starts. */
    fprintf(stderr, "leaflog: error while loading shared libraries: %s\n", dlerror());
    exit(127);
  }
  __atomic_store_n(&function->address, address, __ATOMIC_RELEASE);
  return address;
}

const char *leaflog_bind_all(void) {
  for (Function *function = leaflog_functions; function < leaflog_functions_end; function++) {
    if (!find(function))
      return function->name;
  }
  return NULL;
}
