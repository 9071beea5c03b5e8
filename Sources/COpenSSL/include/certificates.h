/* Certificates (RFC 5280) with P-256 keys, made and read by libcrypto. Extensions are built as values: OpenSSL's texts for
 * them would take a comma in a name for the beginning of another one. */
#ifndef LEAFLOG_CERTIFICATES_H
#define LEAFLOG_CERTIFICATES_H

#include <stddef.h>
#include <stdint.h>

/* As libcrypto declares them; its headers are not needed to use this one. */
typedef struct x509_st X509;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct stack_st_GENERAL_NAME GENERAL_NAMES;

/* A certificate and its private key; both NULL when they could not be made or read. */
typedef struct {
  X509 *certificate;
  EVP_PKEY *key;
} LeaflogIdentity;

void leaflog_identity_free(LeaflogIdentity identity);

/* When a certificate is valid, in seconds since 1970. */
typedef struct {
  int64_t first, last;
} LeaflogValidity;

/* Names, to be given to one of the functions that make an identity, which frees them; NULL when there is no memory. */
GENERAL_NAMES *leaflog_names_new(void);
void leaflog_names_free(GENERAL_NAMES *names);
/* These return whether the name was added. An address has 4 or 16 bytes. */
int leaflog_names_add_host(GENERAL_NAMES *names, const char *host);
int leaflog_names_add_address(GENERAL_NAMES *names, const void *bytes, size_t count);

/* An authority that signs for itself: for servers only (RFC 5280, 4.2.1.12), for no other authority, and for these domains
 * and e-mail addresses at one host only (4.2.1.10). `domains` is freed. */
LeaflogIdentity leaflog_identity_new_authority(const char *organization, const char *common_name, LeaflogValidity validity,
                                               GENERAL_NAMES *domains, const char *mail_host);

/* A server's certificate for these names, signed by an issuer. `names` is freed. */
LeaflogIdentity leaflog_identity_new_server(LeaflogIdentity issuer, const char *common_name, LeaflogValidity validity,
                                            GENERAL_NAMES *names);

/* PEM of the certificate and then of its key (PKCS 8); both NULL unless there are both, and they match. */
LeaflogIdentity leaflog_identity_read(const char *pem, size_t count);

/* The opposite. Freed by free(3); NULL on failure. */
char *leaflog_identity_pem(LeaflogIdentity identity);
/* PEM of the certificate alone. Freed by free(3); NULL on failure. */
char *leaflog_certificate_pem(const X509 *certificate);
/* Its DER. Freed by free(3); NULL on failure. */
unsigned char *leaflog_certificate_der(const X509 *certificate, size_t *count);

/* Whether the times could be read. */
int leaflog_certificate_validity(const X509 *certificate, LeaflogValidity *validity);
int leaflog_certificate_has_extended_key_usage(const X509 *certificate);
/* Whether `issuer` is named as the issuer of `certificate`, and has signed it. */
int leaflog_certificate_is_issued_by(X509 *certificate, X509 *issuer);

/* A name; `is_address` when its bytes are those of an address. */
typedef void (*LeaflogNameReader)(void *context, int is_address, const unsigned char *bytes, size_t count);
/* Passes on the hosts and addresses that a certificate is valid for. */
void leaflog_certificate_names(const X509 *certificate, LeaflogNameReader read, void *context);
/* Passes on the domains that an authority may vouch for. Returns 0 when its names are not limited. */
int leaflog_certificate_domains(const X509 *certificate, LeaflogNameReader read, void *context);

/* The reason of this thread's first failure since the last call; a general one if there is none. */
const char *leaflog_openssl_reason(void);

#endif
