/* libjpeg's encoder behind one call: its errors leave through longjmp, which Swift must not see. */
#ifndef CJPEG_SHIM_H
#define CJPEG_SHIM_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf escape;
  char *message;
  /* Here and not in a local variable, so that it has its value after a longjmp. */
  unsigned char *bytes;
} LeaflogJPEGErrors;

static inline void leaflog_jpeg_fail(j_common_ptr compressor) {
  LeaflogJPEGErrors *errors = (LeaflogJPEGErrors *)compressor->err;
  errors->base.format_message(compressor, errors->message);
  longjmp(errors->escape, 1);
}

static inline void leaflog_jpeg_warn(j_common_ptr compressor, int level) {
  (void)compressor;
  (void)level;
}

/* Baseline JPEG of 8-bit grey (1 band) or RGB (3) rows, chroma halved both ways, with Huffman tables
 * made for it. The quantisation tables have 64 steps each, in natural order. `segments` are written
 * after the header as they are: each a marker code, two bytes of length (big-endian, itself
 * included), and the payload. The result is freed with free(). NULL on failure, with the reason in
 * `message`, which has room for JMSG_LENGTH_MAX. */
static inline uint8_t *leaflog_jpeg_encode(const uint8_t *pixels, int width, int height, int bands,
                                           const unsigned int *luma, const unsigned int *chroma,
                                           const uint8_t *segments, size_t segments_count,
                                           unsigned long *count, char *message) {
  struct jpeg_compress_struct compressor;
  LeaflogJPEGErrors errors;
  compressor.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = leaflog_jpeg_fail;
  errors.base.emit_message = leaflog_jpeg_warn;
  errors.message = message;
  errors.bytes = NULL;
  if (setjmp(errors.escape)) {
    jpeg_destroy_compress(&compressor);
    free(errors.bytes);
    return NULL;
  }
  jpeg_create_compress(&compressor);
  jpeg_mem_dest(&compressor, &errors.bytes, count);
  compressor.image_width = (JDIMENSION)width;
  compressor.image_height = (JDIMENSION)height;
  compressor.input_components = bands;
  compressor.in_color_space = bands == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&compressor);
  jpeg_add_quant_table(&compressor, 0, luma, 100, TRUE);
  jpeg_add_quant_table(&compressor, 1, chroma, 100, TRUE);
  compressor.optimize_coding = TRUE;
  jpeg_start_compress(&compressor, TRUE);
  for (size_t at = 0; at + 3 <= segments_count;) {
    size_t length = ((size_t)segments[at + 1] << 8) | segments[at + 2];
    if (length < 2 || at + 1 + length > segments_count)
      break;
    jpeg_write_marker(&compressor, segments[at], segments + at + 3, (unsigned int)length - 2);
    at += 1 + length;
  }
  while (compressor.next_scanline < compressor.image_height) {
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)compressor.next_scanline * width * bands);
    jpeg_write_scanlines(&compressor, &row, 1);
  }
  jpeg_finish_compress(&compressor);
  jpeg_destroy_compress(&compressor);
  return errors.bytes;
}

#endif
