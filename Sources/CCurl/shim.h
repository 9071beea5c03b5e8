/* libcurl's two variadic functions, wrapped once for each type of value: Swift does not import variadic functions. */
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>

static inline CURLcode leaflog_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode leaflog_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

/* libcurl copies the text. */
static inline CURLcode leaflog_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode leaflog_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode leaflog_curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode leaflog_curl_set_transfer(CURL *handle, CURLoption option, curl_read_callback transfer) {
  return curl_easy_setopt(handle, option, transfer);
}

static inline CURLcode leaflog_curl_set_seek(CURL *handle, curl_seek_callback seek) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, seek);
}

static inline CURLcode leaflog_curl_set_socket_opener(CURL *handle, curl_opensocket_callback open) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
}

/* The socket address, of which an IPv6 one is longer than the member: a copy of the structure would not hold it. */
static inline const struct sockaddr *leaflog_curl_socket_address(const struct curl_sockaddr *address) {
  return &address->addr;
}

static inline CURLcode leaflog_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode leaflog_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

#endif
