/* The functions are deprecated since OpenSSL 3.0, which still has them (Debian 12 and 13). Their successors, EVP_Digest()
 * and SHA256(), first read OpenSSL's settings and load its providers: 2 to 10 ms, where most commands take less. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "sha256.h"

#include <openssl/sha.h>

_Static_assert(sizeof(LeaflogSHA256) == sizeof(SHA256_CTX), "LeaflogSHA256 is as large as SHA256_CTX");
_Static_assert(_Alignof(LeaflogSHA256) >= _Alignof(SHA256_CTX), "LeaflogSHA256 is aligned as SHA256_CTX");
_Static_assert(LEAFLOG_SHA256_COUNT == SHA256_DIGEST_LENGTH, "a digest has 32 bytes");

/* All three succeed always (SHA256_Init(3ssl)). */
void leaflog_sha256_begin(LeaflogSHA256 *state) { SHA256_Init((SHA256_CTX *)state); }

void leaflog_sha256_update(LeaflogSHA256 *state, const void *bytes, size_t count) {
  SHA256_Update((SHA256_CTX *)state, bytes, count);
}

void leaflog_sha256_finish(LeaflogSHA256 *state, void *digest) { SHA256_Final(digest, (SHA256_CTX *)state); }
