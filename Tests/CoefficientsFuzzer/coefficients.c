/* A libFuzzer target: a JPEG's coefficients are read, halved, transformed at every scale, requantised and
 * written, and what was written has to be read again without a warning. ../README.md says how to run it. */
#include <stdio.h>
#include <stdlib.h>

#include "../../Sources/CCoefficients/include/CCoefficients.h"
#include "../../Sources/CJPEG/coefficients.h"

enum { max_pixels = 1 << 20, max_components = 3 };

typedef struct {
  const LeaflogBlock **rows;
  LeaflogBlock *halved;
  float steps[64];
  int width, height, across, down;
} Plane;

typedef struct {
  int width, height, count;
  Plane planes[max_components];
} Picture;

/* As `JPEGFrame` and `JPEGCoefficients` have it: grey, or YCbCr with chroma at full or half resolution. */
static int is_ordinary(const struct jpeg_decompress_struct *file) {
  if (file->data_precision != 8 || file->arith_code || (size_t)file->image_width * file->image_height > max_pixels)
    return 0;
  if (file->num_components == 1)
    return file->jpeg_color_space == JCS_GRAYSCALE;
  if (file->num_components != 3 || file->jpeg_color_space != JCS_YCbCr)
    return 0;
  for (int c = 0; c < 3; c++) {
    int limit = c ? 1 : 2;
    if (file->comp_info[c].h_samp_factor > limit || file->comp_info[c].v_samp_factor > limit)
      return 0;
  }
  return 1;
}

static int take(Picture *picture, LeaflogJPEG *file) {
  picture->width = (int)file->decompressor.image_width;
  picture->height = (int)file->decompressor.image_height;
  picture->count = file->decompressor.num_components;
  for (int c = 0; c < picture->count; c++) {
    jpeg_component_info *component = &file->decompressor.comp_info[c];
    Plane *plane = &picture->planes[c];
    if (!component->quant_table)
      return 0;
    plane->width = (int)component->width_in_blocks;
    plane->height = (int)component->height_in_blocks;
    plane->across = c ? file->decompressor.comp_info[0].h_samp_factor : 1;
    plane->down = c ? file->decompressor.comp_info[0].v_samp_factor : 1;
    for (int i = 0; i < 64; i++)
      plane->steps[i] = component->quant_table->quantval[i];
    plane->rows = calloc((size_t)plane->height, sizeof *plane->rows);
    if (!leaflog_jpeg_rows(file, c, plane->rows))
      return 0;
  }
  return 1;
}

/* All samples at each scale, and pixels of those at full size. */
static void transform(const Picture *picture) {
  for (int side = 1; side <= 8; side *= 2) {
    LeaflogPlane views[max_components];
    for (int c = 0; c < picture->count; c++) {
      const Plane *plane = &picture->planes[c];
      size_t stride = (size_t)plane->width * (size_t)side;
      uint8_t *samples = malloc(stride * (size_t)(plane->height * side));
      for (int y = 0; y < plane->height; y++)
        leaflog_inverse(plane->rows[y], (size_t)plane->width, plane->steps, side, side,
                        samples + stride * (size_t)(y * side), stride);
      views[c] = (LeaflogPlane){
          .samples = samples, .stride = stride, .width = plane->width * side, .height = plane->height * side,
          .across = plane->across, .down = plane->down};
    }
    int width = (picture->width * side + 7) / 8, height = (picture->height * side + 7) / 8;
    uint8_t *pixels = malloc((size_t)width * (size_t)height * (size_t)picture->count);
    leaflog_pixels(views, picture->count, 0, 0, width, height, pixels);
    free(pixels);
    for (int c = 0; c < picture->count; c++)
      free((void *)views[c].samples);
  }
}

/* Chroma at half resolution both ways, as `ChromaHalving` makes it. */
static void halve(Picture *picture) {
  for (int c = 1; c < picture->count; c++) {
    Plane *plane = &picture->planes[c];
    int by_width = plane->across == 1, by_height = plane->down == 1;
    if (!by_width && !by_height)
      continue;
    int columns = by_width ? (plane->width + 1) / 2 : plane->width;
    int rows = by_height ? (plane->height + 1) / 2 : plane->height;
    plane->halved = malloc((size_t)columns * (size_t)rows * sizeof(LeaflogBlock));
    for (int y = 0; y < rows; y++) {
      int upper = by_height ? 2 * y : y, lower = by_height ? 2 * y + 1 : y;
      if (lower >= plane->height)
        lower = plane->height - 1;
      leaflog_halve(plane->rows[upper], plane->rows[lower], (size_t)plane->width, plane->steps, by_height, by_width,
                    plane->halved + (size_t)y * (size_t)columns);
    }
    for (int y = 0; y < rows; y++)
      plane->rows[y] = plane->halved + (size_t)y * (size_t)columns;
    plane->width = columns;
    plane->height = rows;
    for (int i = 0; i < 64; i++)
      plane->steps[i] = LEAFLOG_FINE_STEP;
  }
}

static uint8_t *copy(const Picture *picture, uint32_t step, size_t max_count, size_t *count) {
  LeaflogRequantizer requantizers[max_components];
  LeaflogComponent components[max_components];
  uint32_t target[64];
  float rounding[64];
  uint8_t steps[64];
  for (int i = 0; i < 64; i++) {
    target[i] = step;
    steps[i] = (uint8_t)step;
    rounding[i] = i ? 0.35f : 0.5f;
  }
  for (int c = 0; c < picture->count; c++) {
    const Plane *plane = &picture->planes[c];
    int factor = picture->count == 3 && c == 0 ? 2 : 1;
    requantizers[c] = leaflog_requantizer(plane->steps, target, rounding);
    components[c] = (LeaflogComponent){.rows = plane->rows, .width_in_blocks = plane->width,
                                       .height_in_blocks = plane->height, .across = factor, .down = factor,
                                       .requantizer = &requantizers[c], .steps = steps};
  }
  return leaflog_write(components, picture->count, picture->width, picture->height, NULL, 0, max_count, count);
}

static void check(const uint8_t *bytes, size_t count) {
  LeaflogJPEG *file = leaflog_jpeg_open(bytes, count);
  if (!file || !leaflog_jpeg_read(file)) {
    fprintf(stderr, "a copy cannot be read: %s\n", file ? file->message : "no header");
    abort();
  }
  leaflog_jpeg_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  LeaflogJPEG *file = leaflog_jpeg_open(bytes, size);
  if (!file)
    return 0;
  Picture picture = {0};
  if (is_ordinary(&file->decompressor) && leaflog_jpeg_read(file) && take(&picture, file)) {
    transform(&picture);
    halve(&picture);
    for (uint32_t step = 1; step < 256; step = step * 7 + 3) {
      size_t count = 0;
      uint8_t *written = copy(&picture, step, SIZE_MAX / 2, &count);
      if (!written)
        abort();
      check(written, count);
      free(written);
      free(copy(&picture, step, count / 2, &count));
    }
  }
  for (int c = 0; c < max_components; c++) {
    free(picture.planes[c].rows);
    free(picture.planes[c].halved);
  }
  leaflog_jpeg_close(file);
  return 0;
}
