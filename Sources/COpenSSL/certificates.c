#include "certificates.h"

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void leaflog_identity_free(LeaflogIdentity identity) {
  X509_free(identity.certificate);
  EVP_PKEY_free(identity.key);
}

const char *leaflog_openssl_reason(void) {
  const char *reason = ERR_reason_error_string(ERR_get_error());
  ERR_clear_error();
  return reason ? reason : "unknown reason";
}

/* Names */

GENERAL_NAMES *leaflog_names_new(void) { return sk_GENERAL_NAME_new_null(); }

void leaflog_names_free(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }

/* A name of a type whose value is a string. */
static GENERAL_NAME *new_name(int type, const void *bytes, size_t count) {
  GENERAL_NAME *name = GENERAL_NAME_new();
  ASN1_STRING *value = ASN1_STRING_type_new(type == GEN_IPADD ? V_ASN1_OCTET_STRING : V_ASN1_IA5STRING);
  if (name && value && count <= INT16_MAX && ASN1_STRING_set(value, bytes, (int)count)) {
    GENERAL_NAME_set0_value(name, type, value);
    return name;
  }
  GENERAL_NAME_free(name);
  ASN1_STRING_free(value);
  return NULL;
}

static int add_name(GENERAL_NAMES *names, int type, const void *bytes, size_t count) {
  GENERAL_NAME *name = new_name(type, bytes, count);
  if (name && sk_GENERAL_NAME_push(names, name) > 0)
    return 1;
  GENERAL_NAME_free(name);
  return 0;
}

int leaflog_names_add_host(GENERAL_NAMES *names, const char *host) {
  return add_name(names, GEN_DNS, host, strlen(host));
}

int leaflog_names_add_address(GENERAL_NAMES *names, const void *bytes, size_t count) {
  return add_name(names, GEN_IPADD, bytes, count);
}

/* Extensions; each returns whether it was added. */

static int add_extension(X509 *certificate, int type, void *value, int is_critical) {
  return value && X509_add1_ext_i2d(certificate, type, value, is_critical, 0) == 1;
}

static int add_basic_constraints(X509 *certificate, int is_authority) {
  BASIC_CONSTRAINTS *value = BASIC_CONSTRAINTS_new();
  int is_added = 0;
  if (value) {
    value->ca = is_authority ? 0xff : 0;
    /* A length of 0: it may issue no authority. */
    value->pathlen = is_authority ? ASN1_INTEGER_new() : NULL;
    is_added = (!is_authority || (value->pathlen && ASN1_INTEGER_set(value->pathlen, 0))) &&
               add_extension(certificate, NID_basic_constraints, value, 1);
  }
  BASIC_CONSTRAINTS_free(value);
  return is_added;
}

/* The bits of RFC 5280, 4.2.1.3; the second may be the same as the first. */
static int add_key_usage(X509 *certificate, int first, int second) {
  ASN1_BIT_STRING *value = ASN1_BIT_STRING_new();
  int is_added = value && ASN1_BIT_STRING_set_bit(value, first, 1) && ASN1_BIT_STRING_set_bit(value, second, 1) &&
                 add_extension(certificate, NID_key_usage, value, 1);
  ASN1_BIT_STRING_free(value);
  return is_added;
}

static int add_server_usage(X509 *certificate) {
  EXTENDED_KEY_USAGE *value = sk_ASN1_OBJECT_new_null();
  int is_added = value && sk_ASN1_OBJECT_push(value, OBJ_nid2obj(NID_server_auth)) > 0 &&
                 add_extension(certificate, NID_ext_key_usage, value, 0);
  sk_ASN1_OBJECT_free(value); /* the object is libcrypto's own */
  return is_added;
}

/* The SHA-1 of the key (RFC 5280, 4.2.1.2). */
static int add_subject_key_identifier(X509 *certificate) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned count = 0;
  ASN1_OCTET_STRING *value = ASN1_OCTET_STRING_new();
  int is_added = value && X509_pubkey_digest(certificate, EVP_sha1(), digest, &count) &&
                 ASN1_STRING_set(value, digest, (int)count) &&
                 add_extension(certificate, NID_subject_key_identifier, value, 0);
  ASN1_STRING_free(value);
  return is_added;
}

static int add_authority_key_identifier(X509 *certificate, X509 *issuer) {
  const ASN1_OCTET_STRING *identifier = X509_get0_subject_key_id(issuer);
  if (!identifier)
    return 1;
  AUTHORITY_KEYID *value = AUTHORITY_KEYID_new();
  int is_added = value && (value->keyid = ASN1_STRING_dup(identifier)) != NULL &&
                 add_extension(certificate, NID_authority_key_identifier, value, 0);
  AUTHORITY_KEYID_free(value);
  return is_added;
}

/* Moves a name to the end of a list of constraints. */
static int add_constraint(NAME_CONSTRAINTS *constraints, GENERAL_NAME *name) {
  GENERAL_SUBTREE *subtree = name ? GENERAL_SUBTREE_new() : NULL;
  if (!subtree) {
    GENERAL_NAME_free(name);
    return 0;
  }
  GENERAL_NAME_free(subtree->base);
  subtree->base = name;
  if (sk_GENERAL_SUBTREE_push(constraints->permittedSubtrees, subtree) > 0)
    return 1;
  GENERAL_SUBTREE_free(subtree);
  return 0;
}

static int add_name_constraints(X509 *certificate, GENERAL_NAMES *domains, const char *mail_host) {
  NAME_CONSTRAINTS *value = NAME_CONSTRAINTS_new();
  int is_good = value && (value->permittedSubtrees = sk_GENERAL_SUBTREE_new_null()) != NULL;
  while (is_good && sk_GENERAL_NAME_num(domains) > 0)
    is_good = add_constraint(value, sk_GENERAL_NAME_shift(domains));
  is_good = is_good && add_constraint(value, new_name(GEN_EMAIL, mail_host, strlen(mail_host))) &&
            add_extension(certificate, NID_name_constraints, value, 1);
  NAME_CONSTRAINTS_free(value);
  return is_good;
}

/* Identities */

static int add_to_name(X509_NAME *name, int type, const char *text) {
  return !text || X509_NAME_add_entry_by_NID(name, type, MBSTRING_UTF8, (const unsigned char *)text, -1, -1, 0);
}

/* A positive number of at most 20 bytes (RFC 5280, 4.1.2.2), chosen at random. */
static int set_serial_number(X509 *certificate) {
  BIGNUM *number = BN_new();
  int is_set = number && BN_rand(number, 159, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) &&
               BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
  BN_free(number);
  return is_set;
}

/* One with a new key, and without an issuer, extensions and signature. */
static LeaflogIdentity new_identity(const char *organization, const char *common_name, LeaflogValidity validity) {
  LeaflogIdentity made = {X509_new(), EVP_EC_gen("P-256")};
  X509_NAME *subject = made.certificate ? X509_get_subject_name(made.certificate) : NULL;
  if (subject && made.key && X509_set_version(made.certificate, X509_VERSION_3) && set_serial_number(made.certificate) &&
      add_to_name(subject, NID_organizationName, organization) && add_to_name(subject, NID_commonName, common_name) &&
      ASN1_TIME_set(X509_getm_notBefore(made.certificate), validity.first) &&
      ASN1_TIME_set(X509_getm_notAfter(made.certificate), validity.last) &&
      X509_set_pubkey(made.certificate, made.key))
    return made;
  leaflog_identity_free(made);
  return (LeaflogIdentity){NULL, NULL};
}

/* The identity, or none and its memory freed. */
static LeaflogIdentity finished(LeaflogIdentity made, int is_good, GENERAL_NAMES *names) {
  GENERAL_NAMES_free(names);
  if (is_good)
    return made;
  leaflog_identity_free(made);
  return (LeaflogIdentity){NULL, NULL};
}

LeaflogIdentity leaflog_identity_new_authority(const char *organization, const char *common_name, LeaflogValidity validity,
                                               GENERAL_NAMES *domains, const char *mail_host) {
  LeaflogIdentity made = new_identity(organization, common_name, validity);
  X509 *certificate = made.certificate;
  return finished(made,
                  certificate && X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) &&
                      add_basic_constraints(certificate, 1) && add_key_usage(certificate, 5, 6) &&
                      add_server_usage(certificate) && add_subject_key_identifier(certificate) &&
                      add_name_constraints(certificate, domains, mail_host) &&
                      X509_sign(certificate, made.key, EVP_sha256()),
                  domains);
}

LeaflogIdentity leaflog_identity_new_server(LeaflogIdentity issuer, const char *common_name, LeaflogValidity validity,
                                            GENERAL_NAMES *names) {
  LeaflogIdentity made = new_identity(NULL, common_name, validity);
  X509 *certificate = made.certificate;
  return finished(made,
                  certificate && X509_set_issuer_name(certificate, X509_get_subject_name(issuer.certificate)) &&
                      add_basic_constraints(certificate, 0) && add_key_usage(certificate, 0, 0) &&
                      add_server_usage(certificate) &&
                      add_extension(certificate, NID_subject_alt_name, names, 0) &&
                      add_subject_key_identifier(certificate) &&
                      add_authority_key_identifier(certificate, issuer.certificate) &&
                      X509_sign(certificate, issuer.key, EVP_sha256()),
                  names);
}

/* Reading and writing */

/* Without this answer, a key's password would be asked for on the terminal. */
static int no_password(char *buffer, int size, int is_writing, void *context) {
  (void)buffer, (void)size, (void)is_writing, (void)context;
  return -1;
}

LeaflogIdentity leaflog_identity_read(const char *pem, size_t count) {
  LeaflogIdentity read = {NULL, NULL};
  BIO *source = count <= INT32_MAX ? BIO_new_mem_buf(pem, (int)count) : NULL;
  if (source) {
    read.certificate = PEM_read_bio_X509(source, NULL, no_password, NULL);
    read.key = read.certificate ? PEM_read_bio_PrivateKey(source, NULL, no_password, NULL) : NULL;
  }
  BIO_free(source);
  read = finished(read, read.key && X509_check_private_key(read.certificate, read.key), NULL);
  ERR_clear_error();
  return read;
}

/* What was written, as a text of its own; frees the target. */
static char *text_of(BIO *target, int is_good) {
  char *bytes = NULL;
  long count = is_good ? BIO_get_mem_data(target, &bytes) : 0;
  char *text = is_good ? malloc((size_t)count + 1) : NULL;
  if (text) {
    memcpy(text, bytes, (size_t)count);
    text[count] = 0;
  }
  BIO_free(target);
  return text;
}

char *leaflog_certificate_pem(const X509 *certificate) {
  BIO *target = BIO_new(BIO_s_mem());
  return text_of(target, target && PEM_write_bio_X509(target, certificate));
}

char *leaflog_identity_pem(LeaflogIdentity identity) {
  BIO *target = BIO_new(BIO_s_mem());
  return text_of(target, target && PEM_write_bio_X509(target, identity.certificate) &&
                             PEM_write_bio_PKCS8PrivateKey(target, identity.key, NULL, NULL, 0, NULL, NULL));
}

unsigned char *leaflog_certificate_der(const X509 *certificate, size_t *count) {
  int length = i2d_X509(certificate, NULL);
  unsigned char *bytes = length > 0 ? malloc((size_t)length) : NULL;
  unsigned char *end = bytes;
  if (bytes)
    *count = (size_t)i2d_X509(certificate, &end);
  return bytes;
}

static int read_time(const ASN1_TIME *time, int64_t *seconds) {
  struct tm fields;
  if (!ASN1_TIME_to_tm(time, &fields))
    return 0;
  *seconds = timegm(&fields);
  return 1;
}

int leaflog_certificate_validity(const X509 *certificate, LeaflogValidity *validity) {
  return read_time(X509_get0_notBefore(certificate), &validity->first) &&
         read_time(X509_get0_notAfter(certificate), &validity->last);
}

int leaflog_certificate_has_extended_key_usage(const X509 *certificate) {
  return X509_get_ext_by_NID(certificate, NID_ext_key_usage, -1) >= 0;
}

int leaflog_certificate_is_issued_by(X509 *certificate, X509 *issuer) {
  int is_issued = X509_NAME_cmp(X509_get_issuer_name(certificate), X509_get_subject_name(issuer)) == 0 &&
                  X509_verify(certificate, X509_get0_pubkey(issuer)) == 1;
  ERR_clear_error();
  return is_issued;
}

/* Passes on a host or an address; other names are left out. */
static void pass_on(const GENERAL_NAME *name, LeaflogNameReader read, void *context) {
  int type = 0;
  const ASN1_STRING *value = GENERAL_NAME_get0_value(name, &type);
  if (type == GEN_DNS || type == GEN_IPADD)
    read(context, type == GEN_IPADD, ASN1_STRING_get0_data(value), (size_t)ASN1_STRING_length(value));
}

void leaflog_certificate_names(const X509 *certificate, LeaflogNameReader read, void *context) {
  GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
  for (int index = 0; index < sk_GENERAL_NAME_num(names); index++)
    pass_on(sk_GENERAL_NAME_value(names, index), read, context);
  GENERAL_NAMES_free(names);
  ERR_clear_error();
}

int leaflog_certificate_domains(const X509 *certificate, LeaflogNameReader read, void *context) {
  NAME_CONSTRAINTS *constraints = X509_get_ext_d2i(certificate, NID_name_constraints, NULL, NULL);
  ERR_clear_error();
  if (!constraints)
    return 0;
  for (int index = 0; index < sk_GENERAL_SUBTREE_num(constraints->permittedSubtrees); index++) {
    GENERAL_NAME *name = sk_GENERAL_SUBTREE_value(constraints->permittedSubtrees, index)->base;
    if (name->type == GEN_DNS)
      pass_on(name, read, context);
  }
  NAME_CONSTRAINTS_free(constraints);
  return 1;
}
