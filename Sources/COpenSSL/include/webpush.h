/* What Web Push needs of libcrypto: keys on P-256 (FIPS 186-4), their agreement (NIST SP 800-56A), HKDF (RFC 5869) and AES
 * in GCM (NIST SP 800-38D) for RFC 8291, and signatures (RFC 7518, 3.4) for RFC 8292. All functions return whether they
 * succeeded. */
#ifndef LEAFLOG_WEBPUSH_H
#define LEAFLOG_WEBPUSH_H

#include <stddef.h>
#include <stdint.h>

enum {
  LEAFLOG_SCALAR_COUNT = 32,    /* of a private key, big-endian; also of what two keys agree on */
  LEAFLOG_POINT_COUNT = 65,     /* of a public key: 4, x, y (SEC 1, 2.3.3) */
  LEAFLOG_SIGNATURE_COUNT = 64, /* r, s */
  LEAFLOG_TAG_COUNT = 16        /* behind what AES in GCM has encrypted */
};

/* Makes a private key. */
int leaflog_p256_generate(uint8_t *scalar);
/* The public key of a private one; fails for a number that is none. */
int leaflog_p256_public(const uint8_t *scalar, uint8_t *point);
/* Whether a point of LEAFLOG_POINT_COUNT bytes is on the curve. */
int leaflog_p256_is_point(const uint8_t *point);
/* What a private key and another one's public key agree on: LEAFLOG_SCALAR_COUNT bytes. Fails for a point that is not on the
 * curve. */
int leaflog_p256_agree(const uint8_t *scalar, const uint8_t *point, uint8_t *secret);
/* Signs with SHA-256. */
int leaflog_p256_sign(const uint8_t *scalar, const void *bytes, size_t count, uint8_t *signature);

/* HKDF with SHA-256: extracts and expands. */
int leaflog_hkdf(const void *key, size_t key_count, const void *salt, size_t salt_count, const void *info,
                 size_t info_count, uint8_t *output, size_t output_count);

/* Encrypts with a key of 16 bytes and a nonce of 12, without further data; the output has LEAFLOG_TAG_COUNT bytes more. */
int leaflog_aes128gcm_seal(const uint8_t *key, const uint8_t *nonce, const void *bytes, size_t count, uint8_t *output);

#endif
