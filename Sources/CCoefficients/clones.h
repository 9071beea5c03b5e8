/* Machine code for newer processors, with AVX2 or AVX-512, besides that for all, chosen when the program starts. */
#ifndef LEAFLOG_CLONES_H
#define LEAFLOG_CLONES_H

/* Sanitizers start only after the loader has called the function that chooses. */
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(address_sanitizer) && \
    !__has_feature(thread_sanitizer) && !defined(LEAFLOG_NO_CLONES)
#define LEAFLOG_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define LEAFLOG_CLONES
#endif

/* Products and sums are not fused, as not every processor can do it: all give the same bits, and the same copies. */
#pragma STDC FP_CONTRACT OFF

#define LEAFLOG_INLINE static inline __attribute__((always_inline))

#endif
