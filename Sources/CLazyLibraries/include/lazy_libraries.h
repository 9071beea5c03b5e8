/* Functions of libraries that are loaded when one of them is called first.
 *
 * What reads or writes no picture and asks nothing of the network, such as the timeline, needs none of them, and
 * loading libvips with all that it brings takes longer than the rest of such a command. The functions keep their names and their types, which
 * callers have from the libraries' own headers: each is a jump through a pointer, which at first leads to
 * dlopen(3) and dlsym(3). functions.inc lists them; the linker tells of one that is missing there. */
#ifndef LAZY_LIBRARIES_H
#define LAZY_LIBRARIES_H

/* Binds all of them. Returns NULL, or the name of one that its library lacks. */
const char *leaflog_bind_all(void);

#endif
