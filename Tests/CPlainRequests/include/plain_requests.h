/* PUTs and GETs of objects by libcurl alone, as the limit for a client: no retries, no checks of what comes. */
#ifndef PLAIN_REQUESTS_H
#define PLAIN_REQUESTS_H

#include <stddef.h>

struct leaflog_plain_object {
  const char *url;
  /* The SHA-256 of the body, as in the headers x-amz-content-sha256 and x-amz-checksum-sha256. */
  const char *hex_digest;
  const char *base64_digest;
  const void *bytes;
  size_t byte_count;
};

struct leaflog_plain_keys {
  const char *key;
  const char *secret;
  const char *region;
};

/* Puts the objects, or gets them, over as many connections as there are threads; returns how many requests failed. */
size_t leaflog_plain_requests(
  int gets, struct leaflog_plain_keys keys, const struct leaflog_plain_object *objects, size_t count, int threads);

#endif
