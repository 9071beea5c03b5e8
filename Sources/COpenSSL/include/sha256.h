/* SHA-256 (FIPS 180-4) by libcrypto. */
#ifndef LEAFLOG_SHA256_H
#define LEAFLOG_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* The state between two pieces: libcrypto's SHA256_CTX, which holds no pointers and may be copied. */
typedef struct {
  uint32_t words[28];
} LeaflogSHA256;

enum { LEAFLOG_SHA256_COUNT = 32 };

void leaflog_sha256_begin(LeaflogSHA256 *state);
void leaflog_sha256_update(LeaflogSHA256 *state, const void *bytes, size_t count);
/* Ends the state, and writes LEAFLOG_SHA256_COUNT bytes. */
void leaflog_sha256_finish(LeaflogSHA256 *state, void *digest);

#endif
