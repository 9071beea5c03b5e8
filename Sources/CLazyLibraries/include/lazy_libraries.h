/* Functions whose libraries are loaded on first use.
*
* Commands that neither handle pictures nor use the network, such as the timeline, need none of them, and loading
* libvips with its dependencies takes longer than the rest of such a command. The functions keep their names and
* their types, which callers get from the libraries' own headers: each is a jump through a pointer, which at first
* leads to dlopen(3) and dlsym(3). functions.inc lists them; the linker reports a function that is missing there. */
#ifndef LAZY_LIBRARIES_H
#define LAZY_LIBRARIES_H

/* Looks up all of them. Returns NULL, or the name of one that its library lacks. */
const char *leaflog_bind_all(void);

#endif
