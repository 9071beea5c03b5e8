/* Inverse transforms and halving, as products of small matrices: with all sizes known to the compiler, it
 * unrolls them into vectors. And the detail that coefficients show without being transformed. */
#include <stdlib.h>
#include <string.h>

#include "clones.h"
#include "include/CCoefficients.h"

/* cos(k pi / 16) / 2, and sqrt(1/8) for k = 0. */
#define C0 0.353553390593273762f
#define C1 0.490392640201615225f
#define C2 0.461939766255643378f
#define C3 0.415734806151272618f
#define C4 0.353553390593273762f
#define C5 0.277785116509801112f
#define C6 0.191341716182544886f
#define C7 0.097545161008064134f

/* Sample x of frequency k: the orthonormal transform of N points, times sqrt(N / 8), so that it works on the low
* frequencies of eight points. Rows are frequencies. */
static const float basis8[8][8] = {
    {C0, C0, C0, C0, C0, C0, C0, C0},     {C1, C3, C5, C7, -C7, -C5, -C3, -C1},
    {C2, C6, -C6, -C2, -C2, -C6, C6, C2}, {C3, -C7, -C1, -C5, C5, C1, C7, -C3},
    {C4, -C4, -C4, C4, C4, -C4, -C4, C4}, {C5, -C1, C7, C3, -C3, -C7, C1, -C5},
    {C6, -C2, C2, -C6, -C6, C2, -C2, C6}, {C7, -C5, C3, -C1, C1, -C3, C5, -C7},
};
/* The same with samples as rows. */
static const float columns8[8][8] = {
    {C0, C1, C2, C3, C4, C5, C6, C7},
    {C0, C3, C6, -C7, -C4, -C1, -C2, -C5},
    {C0, C5, -C6, -C1, -C4, C7, C2, C3},
    {C0, C7, -C2, -C5, C4, C3, -C6, -C1},
    {C0, -C7, -C2, C5, C4, -C3, -C6, C1},
    {C0, -C5, -C6, C1, -C4, -C7, C2, -C3},
    {C0, -C3, C6, C7, -C4, C1, -C2, C5},
    {C0, -C1, C2, -C3, C4, -C5, C6, -C7},
};
static const float basis4[4][4] = {
    {C0, C0, C0, C0}, {C2, C6, -C6, -C2}, {C4, -C4, -C4, C4}, {C6, -C2, C2, -C6}};
static const float basis2[2][2] = {{C0, C0}, {C4, -C4}};
static const float basis1[1][1] = {{C0}};

LEAFLOG_INLINE uint8_t sample(float value) {
  value += 128.5f;
  value = value < 0 ? 0 : value;
  value = value > 255 ? 255 : value;
  return (uint8_t)(int)value;
}

LEAFLOG_INLINE void inverse(const LeaflogBlock *blocks, size_t count, const float *steps,
                            const float *down, int rows, const float *across, int columns,
                            uint8_t *samples, size_t stride) {
  for (size_t b = 0; b < count; b++) {
    float values[8][8], lines[8][8];
    for (int k = 0; k < rows; k++)
      for (int x = 0; x < columns; x++)
        values[k][x] = (float)blocks[b][8 * k + x] * steps[8 * k + x];
    for (int y = 0; y < rows; y++) {
      float line[8] = {0};
      for (int k = 0; k < rows; k++)
        for (int x = 0; x < columns; x++)
          line[x] += down[k * rows + y] * values[k][x];
      memcpy(lines[y], line, sizeof line);
    }
    for (int y = 0; y < rows; y++) {
      float line[8] = {0};
      for (int k = 0; k < columns; k++)
        for (int x = 0; x < columns; x++)
          line[x] += lines[y][k] * across[k * columns + x];
      for (int x = 0; x < columns; x++)
        samples[y * stride + b * columns + x] = sample(line[x]);
    }
  }
}

LEAFLOG_CLONES
void leaflog_inverse(const LeaflogBlock *blocks, size_t count, const float *steps, int rows,
                     int columns, uint8_t *samples, size_t stride) {
#define CASE(R, C)                                                                               \
  case 16 * R + C:                                                                               \
    inverse(blocks, count, steps, basis##R[0], R, basis##C[0], C, samples, stride);              \
    break;
  switch (16 * rows + columns) {
    CASE(1, 1) CASE(1, 2) CASE(2, 1) CASE(2, 2) CASE(2, 4) CASE(4, 2) CASE(4, 4) CASE(4, 8)
    CASE(8, 4) CASE(8, 8)
  }
#undef CASE
}

/* The upper (or left) block's contribution to the block of means, [frequency of the result][of the source]: the
* transform of means of pairs of the inverse transform. The lower one's differs in the sign of odd sums. */
static const float half[8][8] = {
    {0.500000000f, 0, 0, 0, 0, 0, 0, 0},
    {0.453063723f, 0.203873289f, -0.034487422f, 0.009515058f, 0, -0.006357759f, 0.014285158f, -0.040552919f},
    {0, 0.490392640f, 0, 0, 0, 0, 0, -0.097545161f},
    {-0.159094823f, 0.387932495f, 0.237104428f, -0.040552919f, 0, 0.027096594f, -0.098211870f, -0.077164571f},
    {0, 0, 0.461939766f, 0, 0, 0, -0.191341716f, 0},
    {0.106303762f, -0.172835429f, 0.354851853f, 0.203873289f, 0, -0.136223777f, -0.146984450f, 0.034379104f},
    {0, 0, 0, 0.415734806f, 0, -0.277785117f, 0, 0},
    {-0.090119978f, 0.136223777f, -0.173379981f, 0.359911149f, 0, -0.240484942f, 0.071816339f, -0.027096594f},
};

typedef float Values[8][8];

LEAFLOG_INLINE int16_t coefficient(float value) {
  value *= 1 / LEAFLOG_FINE_STEP;
  value = value < -16383 ? -16383 : value;
  value = value > 16383 ? 16383 : value;
  return (int16_t)(int)(value < 0 ? value - 0.5f : value + 0.5f);
}

LEAFLOG_INLINE void dequantize(const LeaflogBlock block, const float *steps, Values values) {
  for (int i = 0; i < 64; i++)
    (&values[0][0])[i] = (float)block[i] * steps[i];
}

/* The means of pairs, one block above the other. */
LEAFLOG_INLINE void halve_height(Values upper, Values lower, Values result) {
  for (int k = 0; k < 8; k++) {
    float line[8] = {0};
    for (int j = 0; j < 8; j++)
      for (int x = 0; x < 8; x++)
        line[x] += half[k][j] * ((k + j) % 2 ? upper[j][x] - lower[j][x] : upper[j][x] + lower[j][x]);
    memcpy(result[k], line, sizeof line);
  }
}

/* The means of pairs, one block next to the other. */
LEAFLOG_INLINE void halve_width(Values left, Values right, Values result) {
  for (int y = 0; y < 8; y++)
    for (int k = 0; k < 8; k++) {
      float sum = 0;
      for (int j = 0; j < 8; j++)
        sum += half[k][j] * ((k + j) % 2 ? left[y][j] - right[y][j] : left[y][j] + right[y][j]);
      result[y][k] = sum;
    }
}

LEAFLOG_CLONES
void leaflog_halve(const LeaflogBlock *upper, const LeaflogBlock *lower, size_t count,
                   const float *steps, int halves_height, int halves_width, LeaflogBlock *target) {
  size_t step = halves_width ? 2 : 1;
  for (size_t b = 0; b < count; b += step) {
    Values sides[2], result;
    for (size_t side = 0; side < step; side++) {
      /* Beyond the edge of the picture, the last block is repeated. */
      size_t at = b + side < count ? b + side : count - 1;
      if (halves_height) {
        Values above, below;
        dequantize(upper[at], steps, above);
        dequantize(lower[at], steps, below);
        halve_height(above, below, sides[side]);
      } else {
        dequantize(upper[at], steps, sides[side]);
      }
    }
    if (halves_width)
      halve_width(sides[0], sides[1], result);
    else
      memcpy(result, sides[0], sizeof result);
    for (int i = 0; i < 64; i++)
      target[b / step][i] = coefficient((&result[0][0])[i]);
  }
}

/* Transforms one block of samples, whose lines are `stride` apart. */
LEAFLOG_INLINE void forward(const float *samples, size_t stride, LeaflogBlock target) {
  Values lines, values;
  for (int k = 0; k < 8; k++) {
    float line[8] = {0};
    for (int y = 0; y < 8; y++)
      for (int x = 0; x < 8; x++)
        line[x] += basis8[k][y] * samples[y * stride + x];
    memcpy(lines[k], line, sizeof line);
  }
  for (int k = 0; k < 8; k++) {
    float line[8] = {0};
    for (int x = 0; x < 8; x++)
      for (int j = 0; j < 8; j++)
        line[j] += lines[k][x] * columns8[x][j];
    memcpy(values[k], line, sizeof line);
  }
  for (int i = 0; i < 64; i++)
    target[i] = coefficient((&values[0][0])[i]);
}

/* Converts a line of pixels to luma and chroma minus 128 (JFIF), padded to `padded`. */
LEAFLOG_INLINE void split(const uint8_t *pixels, int bands, int width, int padded, float *luma,
                          float *blue, float *red) {
  for (int x = 0; x < padded; x++) {
    const uint8_t *pixel = pixels + (size_t)(x < width ? x : width - 1) * bands;
    if (bands == 1) {
      luma[x] = (float)pixel[0] - 128;
      continue;
    }
    float r = pixel[0], g = pixel[1], b = pixel[2];
    luma[x] = 0.299f * r + 0.587f * g + 0.114f * b - 128;
    blue[x] = -0.168735892f * r - 0.331264108f * g + 0.5f * b;
    red[x] = 0.5f * r - 0.418687589f * g - 0.081312411f * b;
  }
}

/* Halves two lines in length and height into one; `count` is that of the result. */
LEAFLOG_INLINE void halve_lines(const float *upper, const float *lower, int count, float *result) {
  for (int x = 0; x < count; x++)
    result[x] = (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]) / 4;
}

LEAFLOG_CLONES
int leaflog_forward(const uint8_t *pixels, int bands, int width, int height, LeaflogBlock *luma,
                    LeaflogBlock *blue, LeaflogBlock *red) {
  int columns = (width + 15) / 16;
  size_t padded = 16 * (size_t)columns, half_padded = 8 * (size_t)columns;
  /* Sixteen lines of luma, two of each chroma, and eight of each halved chroma. */
  float *lines = malloc((20 * padded + 16 * half_padded) * sizeof(float));
  if (!lines)
    return 0;
  float *full = lines + 16 * padded, *halves = lines + 20 * padded;
  for (int top = 0; top < height; top += 16) {
    for (int y = 0; y < 16; y++) {
      int row = top + y < height ? top + y : height - 1;
      float *chroma = full + 2 * padded * (y % 2);
      split(pixels + (size_t)row * width * bands, bands, width, (int)padded, lines + padded * y, chroma,
            chroma + padded);
      if (bands == 3 && y % 2) {
        halve_lines(full, full + 2 * padded, (int)half_padded, halves + half_padded * (y / 2));
        halve_lines(full + padded, full + 3 * padded, (int)half_padded, halves + half_padded * (8 + y / 2));
      }
    }
    size_t luma_columns = ((size_t)width + 7) / 8;
    for (int part = 0; part < 2 && top + 8 * part < height; part++)
      for (size_t x = 0; x < luma_columns; x++)
        forward(lines + 8 * part * padded + 8 * x, padded, luma[(size_t)(top / 8 + part) * luma_columns + x]);
    for (int x = 0; x < columns && bands == 3; x++) {
      forward(halves + 8 * x, half_padded, blue[(size_t)(top / 16) * columns + x]);
      forward(halves + 8 * half_padded + 8 * x, half_padded, red[(size_t)(top / 16) * columns + x]);
    }
  }
  free(lines);
  return 1;
}

LEAFLOG_CLONES
void leaflog_detail(const LeaflogBlock *blocks, size_t count, const int16_t *limits, uint32_t area,
                    size_t blocks_per_cell, uint32_t *cells) {
  int16_t above[64], below[64];
  for (int i = 0; i < 64; i++) {
    above[i] = i > 0 ? limits[i] : INT16_MAX;
    below[i] = i > 0 ? (int16_t)-limits[i] : INT16_MIN;
  }
  for (size_t b = 0; b < count; b++) {
    int16_t number = 0;
    for (int i = 0; i < 64; i++)
      number += (int16_t)((blocks[b][i] > above[i]) | (blocks[b][i] < below[i]));
    cells[b / blocks_per_cell] += area * (uint32_t)(number * number);
  }
}
