/* Machine code for newer processors beside the one for all, chosen as the program starts. */
#ifndef LEAFLOG_CLONES_H
#define LEAFLOG_CLONES_H

/* Sanitizers begin after the loader has called what chooses. */
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(address_sanitizer)
#define LEAFLOG_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define LEAFLOG_CLONES
#endif

#define LEAFLOG_INLINE static inline __attribute__((always_inline))

#endif
