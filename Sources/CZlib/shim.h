/* zlib's deflateInit2 is a macro, which Swift does not see. */
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

/* Compresses all of `source` as gzip (RFC 1952) into `target`, which has room for `capacity` bytes.
 * The number of bytes written; 0 on failure. */
static inline unsigned long leaflog_gzip(const unsigned char *source, unsigned int count,
                                         unsigned char *target, unsigned int capacity, int level) {
  z_stream stream = {0};
  /* 15 bits of window, and 16 more for gzip's header in place of zlib's. */
  if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return 0;
  stream.next_in = (unsigned char *)source;
  stream.avail_in = count;
  stream.next_out = target;
  stream.avail_out = capacity;
  int result = deflate(&stream, Z_FINISH);
  unsigned long written = stream.total_out;
  deflateEnd(&stream);
  return result == Z_STREAM_END ? written : 0;
}

/* Decompresses the beginning of a zlib stream (RFC 1950) into `target`, which has room for `capacity` bytes.
 * The number of bytes written; 0 on failure. */
static inline unsigned long leaflog_inflate(const unsigned char *source, unsigned int count,
                                            unsigned char *target, unsigned int capacity) {
  z_stream stream = {0};
  if (inflateInit(&stream) != Z_OK)
    return 0;
  stream.next_in = (unsigned char *)source;
  stream.avail_in = count;
  stream.next_out = target;
  stream.avail_out = capacity;
  inflate(&stream, Z_SYNC_FLUSH);
  unsigned long written = stream.total_out;
  inflateEnd(&stream);
  return written;
}

/* No more than so many bytes come of `count`. */
static inline unsigned long leaflog_gzip_bound(unsigned long count) {
  return compressBound(count) + 18;
}

#endif
