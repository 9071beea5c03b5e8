#include "plain_requests.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work {
  int gets;
  struct leaflog_plain_keys keys;
  const struct leaflog_plain_object *objects;
  size_t count;
  atomic_size_t next;
  atomic_size_t failed;
};

struct body {
  const struct leaflog_plain_object *object;
  size_t position;
};

struct answer {
  char *bytes;
  size_t byte_count;
  size_t capacity;
};

static size_t send_more(char *target, size_t size, size_t count, void *context) {
  struct body *body = context;
  size_t rest = body->object->byte_count - body->position;
  size_t sent = size * count < rest ? size * count : rest;
  memcpy(target, (const char *)body->object->bytes + body->position, sent);
  body->position += sent;
  return sent;
}

static int rewind_body(void *context, curl_off_t offset, int origin) {
  (void)origin;
  ((struct body *)context)->position = (size_t)offset;
  return CURL_SEEKFUNC_OK;
}

static size_t receive_more(char *bytes, size_t size, size_t count, void *context) {
  struct answer *answer = context;
  size_t needed = answer->byte_count + size * count;
  if (needed > answer->capacity) {
    char *larger = realloc(answer->bytes, 2 * needed);
    if (!larger) return 0;
    answer->bytes = larger;
    answer->capacity = 2 * needed;
  }
  memcpy(answer->bytes + answer->byte_count, bytes, size * count);
  answer->byte_count = needed;
  return size * count;
}

static struct curl_slist *with_header(struct curl_slist *list, const char *name, const char *value) {
  char line[160];
  snprintf(line, sizeof line, "%s: %s", name, value);
  return curl_slist_append(list, line);
}

static int request(CURL *handle, const struct work *work, const struct leaflog_plain_object *object, struct answer *answer) {
  static const char *const nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  struct body body = {object, 0};
  char signature[128];
  snprintf(signature, sizeof signature, "aws:amz:%s:s3", work->keys.region);
  curl_easy_reset(handle);
  curl_easy_setopt(handle, CURLOPT_URL, object->url);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_AWS_SIGV4, signature);
  curl_easy_setopt(handle, CURLOPT_USERNAME, work->keys.key);
  curl_easy_setopt(handle, CURLOPT_PASSWORD, work->keys.secret);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive_more);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, answer);
  struct curl_slist *headers = with_header(NULL, "x-amz-content-sha256", work->gets ? nothing : object->hex_digest);
  if (!work->gets) {
    headers = with_header(headers, "x-amz-checksum-sha256", object->base64_digest);
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, send_more);
    curl_easy_setopt(handle, CURLOPT_READDATA, &body);
    curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, rewind_body);
    curl_easy_setopt(handle, CURLOPT_SEEKDATA, &body);
    curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)object->byte_count);
  }
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
  answer->byte_count = 0;
  CURLcode code = curl_easy_perform(handle);
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_reset(handle);
  curl_slist_free_all(headers);
  return code == CURLE_OK && status == 200 && (!work->gets || answer->byte_count == object->byte_count);
}

static void *run(void *context) {
  struct work *work = context;
  struct answer answer = {0};
  CURL *handle = curl_easy_init();
  size_t index;
  while ((index = atomic_fetch_add(&work->next, 1)) < work->count)
    if (!handle || !request(handle, work, &work->objects[index], &answer)) atomic_fetch_add(&work->failed, 1);
  curl_easy_cleanup(handle);
  free(answer.bytes);
  return NULL;
}

size_t leaflog_plain_requests(
  int gets, struct leaflog_plain_keys keys, const struct leaflog_plain_object *objects, size_t count, int threads
) {
  struct work work = {.gets = gets, .keys = keys, .objects = objects, .count = count};
  pthread_t others[64];
  int started = 0;
  while (started < threads - 1 && started < 64 && !pthread_create(&others[started], NULL, run, &work)) started++;
  run(&work);
  for (int i = 0; i < started; i++) pthread_join(others[i], NULL);
  return work.failed;
}
