#include "webpush.h"

#include <limits.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/params.h>

static const char group_name[] = "P-256";

/* A key of its parts, of which one may be NULL; NULL when they are none. */
static EVP_PKEY *new_key(const BIGNUM *scalar, const uint8_t *point) {
  EVP_PKEY *key = NULL;
  OSSL_PARAM *parameters = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  if (context && builder && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group_name, 0) &&
      (!scalar || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar)) &&
      (!point || OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, LEAFLOG_POINT_COUNT)))
    parameters = OSSL_PARAM_BLD_to_param(builder);
  if (parameters && EVP_PKEY_fromdata_init(context) == 1 &&
      EVP_PKEY_fromdata(context, &key, scalar ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters) != 1)
    key = NULL;
  OSSL_PARAM_free(parameters);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(context);
  return key;
}

/* A private key, with its public key, as libcrypto wants it for some uses; NULL for a number that is none. */
static EVP_PKEY *private_key(const uint8_t *scalar) {
  uint8_t point[LEAFLOG_POINT_COUNT];
  EVP_PKEY *key = NULL;
  /* In memory that is cleared before it is freed. */
  BIGNUM *number = BN_secure_new();
  if (number && BN_bin2bn(scalar, LEAFLOG_SCALAR_COUNT, number) && leaflog_p256_public(scalar, point))
    key = new_key(number, point);
  BN_clear_free(number);
  return key;
}

int leaflog_p256_generate(uint8_t *scalar) {
  BIGNUM *number = NULL;
  EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", group_name);
  int is_made = key && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 &&
                BN_bn2binpad(number, scalar, LEAFLOG_SCALAR_COUNT) == LEAFLOG_SCALAR_COUNT;
  BN_clear_free(number);
  EVP_PKEY_free(key);
  return is_made;
}

int leaflog_p256_public(const uint8_t *scalar, uint8_t *point) {
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  EC_POINT *made = group ? EC_POINT_new(group) : NULL;
  BIGNUM *number = BN_secure_new();
  int is_made = made && number && BN_bin2bn(scalar, LEAFLOG_SCALAR_COUNT, number) && !BN_is_zero(number) &&
                BN_cmp(number, EC_GROUP_get0_order(group)) < 0 &&
                EC_POINT_mul(group, made, number, NULL, NULL, NULL) == 1 &&
                EC_POINT_point2oct(group, made, POINT_CONVERSION_UNCOMPRESSED, point, LEAFLOG_POINT_COUNT, NULL) ==
                    LEAFLOG_POINT_COUNT;
  BN_clear_free(number);
  EC_POINT_free(made);
  EC_GROUP_free(group);
  return is_made;
}

int leaflog_p256_is_point(const uint8_t *point) {
  EVP_PKEY *key = point[0] == POINT_CONVERSION_UNCOMPRESSED ? new_key(NULL, point) : NULL;
  EVP_PKEY_free(key);
  ERR_clear_error();
  return key != NULL;
}

int leaflog_p256_agree(const uint8_t *scalar, const uint8_t *point, uint8_t *secret) {
  size_t count = LEAFLOG_SCALAR_COUNT;
  EVP_PKEY *own = private_key(scalar);
  EVP_PKEY *other = point[0] == POINT_CONVERSION_UNCOMPRESSED ? new_key(NULL, point) : NULL;
  EVP_PKEY_CTX *context = own && other ? EVP_PKEY_CTX_new(own, NULL) : NULL;
  int has_agreed = context && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1 &&
                   EVP_PKEY_derive(context, secret, &count) == 1 && count == LEAFLOG_SCALAR_COUNT;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(other);
  EVP_PKEY_free(own);
  return has_agreed;
}

int leaflog_p256_sign(const uint8_t *scalar, const void *bytes, size_t count, uint8_t *signature) {
  uint8_t der[80]; /* at most 72: two numbers of 33 bytes, and three heads */
  size_t der_count = sizeof der;
  const uint8_t *next = der;
  ECDSA_SIG *made = NULL;
  EVP_PKEY *key = private_key(scalar);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  if (key && context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
      EVP_DigestSign(context, der, &der_count, bytes, count) == 1)
    made = d2i_ECDSA_SIG(NULL, &next, (long)der_count);
  int is_made = made && BN_bn2binpad(ECDSA_SIG_get0_r(made), signature, LEAFLOG_SCALAR_COUNT) > 0 &&
                BN_bn2binpad(ECDSA_SIG_get0_s(made), signature + LEAFLOG_SCALAR_COUNT, LEAFLOG_SCALAR_COUNT) > 0;
  ECDSA_SIG_free(made);
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  return is_made;
}

int leaflog_hkdf(const void *key, size_t key_count, const void *salt, size_t salt_count, const void *info,
                 size_t info_count, uint8_t *output, size_t output_count) {
  /* libcrypto takes what it only reads as something that it might write, too. */
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_count),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count),
      OSSL_PARAM_construct_end(),
  };
  EVP_KDF *function = EVP_KDF_fetch(NULL, "HKDF", NULL);
  EVP_KDF_CTX *context = function ? EVP_KDF_CTX_new(function) : NULL;
  int is_derived = context && EVP_KDF_derive(context, output, output_count, parameters) == 1;
  EVP_KDF_CTX_free(context);
  EVP_KDF_free(function);
  return is_derived;
}

int leaflog_aes128gcm_seal(const uint8_t *key, const uint8_t *nonce, const void *bytes, size_t count, uint8_t *output) {
  int written = 0, rest = 0;
  EVP_CIPHER_CTX *context = count <= INT_MAX ? EVP_CIPHER_CTX_new() : NULL;
  int is_sealed = context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
                  EVP_EncryptUpdate(context, output, &written, bytes, (int)count) == 1 &&
                  EVP_EncryptFinal_ex(context, output + written, &rest) == 1 && (size_t)(written + rest) == count &&
                  EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, LEAFLOG_TAG_COUNT, output + count) == 1;
  EVP_CIPHER_CTX_free(context);
  return is_sealed;
}
