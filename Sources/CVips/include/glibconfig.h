/* libvips' headers need GLib's, which are in two folders that only its .pc file names: it makes the linker add GLib to the
 * program, which CLazyLibraries loads. So this folder has links to the first one, and this file is for the second. */
#if defined(__x86_64__)
#include "/usr/lib/x86_64-linux-gnu/glib-2.0/include/glibconfig.h"
#elif defined(__aarch64__)
#include "/usr/lib/aarch64-linux-gnu/glib-2.0/include/glibconfig.h"
#else
#error "The folder of GLib's glibconfig.h is known for x86-64 and AArch64."
#endif
