#include "include/plain_loops.h"

#include <stdlib.h>
#include <string.h>

#define LEAFLOG_NO_CLONES
#define leaflog_requantizer plain_requantizer
#define leaflog_requantize plain_requantize
#define leaflog_inverse plain_inverse
#define leaflog_halve plain_halve
#define leaflog_forward plain_forward
#define leaflog_detail plain_detail
#define leaflog_pixels plain_pixels
#define leaflog_light plain_light
#define leaflog_scratch_count plain_scratch_count
#define leaflog_blur plain_blur
#define leaflog_halve_plane plain_halve_plane
#define leaflog_xyb plain_xyb
#define leaflog_prepare plain_prepare
#define leaflog_compare plain_compare
#include "../../Sources/CCoefficients/pixels.c"
#include "../../Sources/CCoefficients/planes.c"
#include "../../Sources/CCoefficients/transform.c"
#undef leaflog_requantize
#undef leaflog_inverse
#undef leaflog_halve
#undef leaflog_forward
#undef leaflog_detail
#undef leaflog_pixels
#undef leaflog_light
#undef leaflog_blur
#undef leaflog_halve_plane
#undef leaflog_xyb
#undef leaflog_prepare
#undef leaflog_compare

extern __typeof__(plain_requantize) leaflog_requantize;
extern __typeof__(plain_inverse) leaflog_inverse;
extern __typeof__(plain_halve) leaflog_halve;
extern __typeof__(plain_forward) leaflog_forward;
extern __typeof__(plain_detail) leaflog_detail;
extern __typeof__(plain_pixels) leaflog_pixels;
extern __typeof__(plain_light) leaflog_light;
extern __typeof__(plain_blur) leaflog_blur;
extern __typeof__(plain_halve_plane) leaflog_halve_plane;
extern __typeof__(plain_xyb) leaflog_xyb;
extern __typeof__(plain_prepare) leaflog_prepare;
extern __typeof__(plain_compare) leaflog_compare;

/* A picture whose sides are no multiples of anything. */
enum { side = 61, row = 64, samples = row * row, blocks = 64 };

static uint32_t state = 1;

static uint32_t next_number(void) {
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

static LeaflogBlock coefficients[blocks];
static uint8_t bytes[3 * samples];
static float light[3][samples], steps[64], curve[256];
static int16_t limits[64];

static void fill_inputs(void) {
  for (int b = 0; b < blocks; b++)
    for (int i = 0; i < 64; i++)
      coefficients[b][i] = (int16_t)((int)(next_number() % 200) - 100) / (int16_t)(1 + i / 4);
  for (int i = 0; i < 3 * samples; i++)
    bytes[i] = (uint8_t)next_number();
  for (int i = 0; i < 3 * samples; i++)
    light[i / samples][i % samples] = (float)next_number() / (1 << 24);
  for (int i = 0; i < 64; i++) {
    steps[i] = 3 + (float)i / 3;
    limits[i] = (int16_t)(i / 3);
  }
  for (int i = 0; i < 256; i++)
    curve[i] = (float)i / 255;
}

/* Runs a loop both ways, each into zeros, and returns its name when the results differ. */
#define TRY(name, ...)                                  \
  do {                                                  \
    static union {                                      \
      LeaflogBlock blocks[3 * blocks];                  \
      uint8_t bytes[3 * samples];                       \
      float floats[3 * samples];                        \
      uint32_t cells[blocks];                           \
      LeaflogDifferences sums;                          \
    } results[2], *to = &results[0];                    \
    plain_##name(__VA_ARGS__);                          \
    to = &results[1];                                   \
    leaflog_##name(__VA_ARGS__);                        \
    if (memcmp(&results[0], to, sizeof results[0]))     \
      return #name;                                     \
  } while (0)

static const char *differing(float *scratch) {
  const LeaflogShape shape = {side, side, row};
  const LeaflogPlane planes[3] = {{bytes, row, 0, 0, side, side, 1, 1},
                                  {bytes + samples, row, 0, 0, side / 2 + 1, side / 2 + 1, 2, 2},
                                  {bytes + 2 * samples, row, 0, 0, side / 2 + 1, side / 2 + 1, 2, 2}};
  static float mean[samples], spread[samples];
  const LeaflogReference reference = {shape, light[0], mean, spread};
  LeaflogRequantizer requantizer;
  for (int i = 0; i < 64; i++) {
    requantizer.ratio[i] = steps[i] / (float)(7 + i);
    requantizer.rounding[i] = 0.4f;
  }
  plain_prepare(&reference, scratch);
  TRY(requantize, &requantizer, coefficients, to->blocks, blocks);
  TRY(inverse, coefficients, blocks, steps, 8, 8, to->bytes, 8 * blocks);
  TRY(inverse, coefficients, blocks, steps, 4, 4, to->bytes, 4 * blocks);
  TRY(halve, coefficients, coefficients + blocks / 2, blocks / 2, steps, 1, 1, to->blocks);
  TRY(forward, bytes, 3, side, side, to->blocks, to->blocks + blocks, to->blocks + 2 * blocks);
  TRY(detail, coefficients, blocks, limits, 2, 8, to->cells);
  TRY(pixels, planes, 3, 0, 0, side, side, to->bytes);
  TRY(light, planes, 3, 0, 0, shape, curve,
      ((float *[3]){to->floats, to->floats + samples, to->floats + 2 * samples}));
  TRY(blur, light[0], shape, to->floats, scratch);
  TRY(halve_plane, light[0], shape, to->floats, row);
  TRY(xyb, light[0], light[1], light[2], samples, to->floats, to->floats + samples,
      to->floats + 2 * samples);
  TRY(prepare, &((LeaflogReference){shape, light[0], to->floats, to->floats + samples}), scratch);
  TRY(compare, &reference, light[1], scratch, &to->sums);
  return NULL;
}

const char *leaflog_differing_loop(void) {
  float *scratch = calloc(plain_scratch_count(row), sizeof(float));
  if (!scratch)
    return "calloc";
  fill_inputs();
  const char *name = differing(scratch);
  free(scratch);
  return name;
}
