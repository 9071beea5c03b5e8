/* libjpeg's reader of coefficients behind calls that do not leave through longjmp. */
#ifndef CJPEG_COEFFICIENTS_H
#define CJPEG_COEFFICIENTS_H

#include "shim.h"

/* A file that is open, and its coefficients once they are read. */
typedef struct {
  struct jpeg_decompress_struct decompressor;
  LeaflogJPEGErrors errors;
  struct jpeg_progress_mgr progress;
  char message[JMSG_LENGTH_MAX];
  jvirt_barray_ptr *arrays;
} LeaflogJPEG;

/* A camera's progressive file has about ten scans. A small file can have thousands, and each goes over all
 * of the picture. */
enum { leaflog_jpeg_max_scan_count = 100 };

static inline void leaflog_jpeg_count_warning(j_common_ptr file, int level) {
  if (level < 0)
    file->err->num_warnings++;
}

static inline void leaflog_jpeg_check_scan(j_common_ptr file) {
  if (((j_decompress_ptr)file)->input_scan_number > leaflog_jpeg_max_scan_count)
    leaflog_jpeg_fail(file);
}

static inline void leaflog_jpeg_close(LeaflogJPEG *file) {
  jpeg_destroy_decompress(&file->decompressor);
  free(file);
}

/* Reads a file's header. The bytes must outlive the result. NULL when it cannot be read. */
static inline LeaflogJPEG *leaflog_jpeg_open(const uint8_t *bytes, size_t count) {
  LeaflogJPEG *file = (LeaflogJPEG *)calloc(1, sizeof *file);
  if (!file)
    return NULL;
  file->decompressor.err = jpeg_std_error(&file->errors.base);
  file->errors.base.error_exit = leaflog_jpeg_fail;
  file->errors.base.emit_message = leaflog_jpeg_count_warning;
  file->errors.message = file->message;
  if (setjmp(file->errors.escape)) {
    leaflog_jpeg_close(file);
    return NULL;
  }
  jpeg_create_decompress(&file->decompressor);
  file->progress.progress_monitor = leaflog_jpeg_check_scan;
  file->decompressor.progress = &file->progress;
  jpeg_mem_src(&file->decompressor, bytes, count);
  jpeg_read_header(&file->decompressor, TRUE);
  return file;
}

/* Reads all coefficients. 0 when it cannot, or when the file is damaged: libjpeg reads on then, with a
 * warning. */
static inline int leaflog_jpeg_read(LeaflogJPEG *file) {
  if (setjmp(file->errors.escape))
    return 0;
  file->arrays = jpeg_read_coefficients(&file->decompressor);
  return file->arrays && file->errors.base.num_warnings == 0;
}

/* Decodes a file coarsely up to its end marker, without keeping any of it. 0 when it cannot, or when libjpeg complains:
 * also of bytes between the last block and the end marker, which are never seen where only rows are read. */
static inline int leaflog_jpeg_is_whole(const uint8_t *bytes, size_t count) {
  LeaflogJPEG *const file = leaflog_jpeg_open(bytes, count);
  if (!file)
    return 0;
  if (setjmp(file->errors.escape)) {
    free(file->errors.bytes);
    leaflog_jpeg_close(file);
    return 0;
  }
  file->decompressor.out_color_space = file->decompressor.jpeg_color_space;
  file->decompressor.scale_num = 1;
  file->decompressor.scale_denom = 8;
  jpeg_start_decompress(&file->decompressor);
  file->errors.bytes =
      (unsigned char *)malloc((size_t)file->decompressor.output_width * file->decompressor.output_components);
  while (file->errors.bytes && file->decompressor.output_scanline < file->decompressor.output_height) {
    JSAMPROW row = file->errors.bytes;
    jpeg_read_scanlines(&file->decompressor, &row, 1);
  }
  int is_whole = 0;
  if (file->errors.bytes) {
    jpeg_finish_decompress(&file->decompressor);
    is_whole = file->errors.base.num_warnings == 0;
  }
  free(file->errors.bytes);
  leaflog_jpeg_close(file);
  return is_whole;
}

/* The pointers to all rows of blocks of a component that has been read. 0 when one is not there. */
static inline int leaflog_jpeg_rows(LeaflogJPEG *file, int component, const JBLOCK **rows) {
  if (setjmp(file->errors.escape))
    return 0;
  j_common_ptr common = (j_common_ptr)&file->decompressor;
  for (JDIMENSION y = 0; y < file->decompressor.comp_info[component].height_in_blocks; y++)
    rows[y] = file->decompressor.mem->access_virt_barray(common, file->arrays[component], y, 1, FALSE)[0];
  return 1;
}

#endif
