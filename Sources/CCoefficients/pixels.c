/* Requantising, and converting samples to pixels. */
#include <string.h>

#include "clones.h"
#include "include/CCoefficients.h"

LeaflogRequantizer leaflog_requantizer(const float *steps, const uint32_t *target,
                                       const float *rounding) {
  LeaflogRequantizer result;
  for (int i = 0; i < 64; i++) {
    result.ratio[i] = steps[i] / (float)target[i];
    result.rounding[i] = rounding[i];
  }
  return result;
}

LEAFLOG_CLONES
void leaflog_requantize(const LeaflogRequantizer *requantizer, const LeaflogBlock *source,
                        LeaflogBlock *target, size_t count) {
  for (size_t b = 0; b < count; b++)
    for (int i = 0; i < 64; i++) {
      float value = (float)source[b][i];
      float magnitude = value < 0 ? -value : value;
      float level = magnitude * requantizer->ratio[i] + requantizer->rounding[i];
      /* T.81 allows 11 bits for DC differences and 10 for the others. */
      int whole = (int)(level < 1023 ? level : 1023);
      target[b][i] = (int16_t)(value < 0 ? -whole : whole);
    }
}

enum { pixels_at_once = 256 };

LEAFLOG_INLINE int within(int value, int least, int most) {
  value = value < least ? least : value;
  return value < most ? value : most;
}

/* Row y of the whole plane, or the nearest row of the part. */
LEAFLOG_INLINE const uint8_t *row_of(const LeaflogPlane *plane, int y) {
  return plane->samples + (size_t)within(y - plane->top, 0, plane->height - 1) * plane->stride;
}

/* Writes the samples of row y from x on to `line`, interpolated like libjpeg's "fancy" upsampling. */
LEAFLOG_INLINE void upsampled(const LeaflogPlane *plane, int x, int y, int width, int16_t *line) {
  int row = y / plane->down;
  const uint8_t *near = row_of(plane, row);
  const uint8_t *far = row_of(plane, plane->down == 1 ? row : y % 2 ? row + 1 : row - 1);
  /* Four times the samples of this line of chroma, with one more at each end. */
  int16_t blended[pixels_at_once + 3];
  int first = x / plane->across - 1 - plane->left;
  int count = within((width + plane->across - 1) / plane->across + 3, 0, pixels_at_once + 3);
  /* Beyond the edges of the part, the nearest sample is used. */
  int begin = within(-first, 0, count), end = within(plane->width - first, begin, count);
  for (int i = 0; i < begin; i++)
    blended[i] = (int16_t)(3 * near[0] + far[0]);
  for (int i = begin; i < end; i++)
    blended[i] = (int16_t)(3 * near[first + i] + far[first + i]);
  for (int i = end; i < count; i++)
    blended[i] = (int16_t)(3 * near[plane->width - 1] + far[plane->width - 1]);
  if (plane->across == 1) {
    for (int i = 0; i < width; i++)
      line[i] = (int16_t)((blended[i + 1] + 2) >> 2);
    return;
  }
  /* x is even in all calls. */
  for (int i = 0; i < width / 2; i++) {
    int16_t left = (int16_t)(3 * blended[i + 1] + blended[i] + 8);
    int16_t right = (int16_t)(3 * blended[i + 1] + blended[i + 2] + 7);
    line[2 * i] = (int16_t)(left >> 4);
    line[2 * i + 1] = (int16_t)(right >> 4);
  }
  if (width % 2)
    line[width - 1] = (int16_t)((3 * blended[width / 2 + 1] + blended[width / 2] + 8) >> 4);
}

/* The same for a plane with a sample for every pixel. */
LEAFLOG_INLINE void copied(const LeaflogPlane *plane, int x, int y, int width, int16_t *line) {
  const uint8_t *row = row_of(plane, y);
  int first = x - plane->left;
  int begin = within(-first, 0, width), end = within(plane->width - first, begin, width);
  for (int i = 0; i < begin; i++)
    line[i] = row[0];
  for (int i = begin; i < end; i++)
    line[i] = row[first + i];
  for (int i = end; i < width; i++)
    line[i] = row[plane->width - 1];
}

LEAFLOG_INLINE uint8_t clamped(int value) { return (uint8_t)within(value, 0, 255); }

/* A line of 8-bit samples: grey, or red, green and blue by JFIF's conversion, in fractions of 65536. */
LEAFLOG_INLINE void coloured(const LeaflogPlane *planes, int count, int x, int y, int width,
                             uint8_t colours[3][pixels_at_once]) {
  int16_t lines[3][pixels_at_once];
  for (int c = 0; c < count; c++)
    if (planes[c].across == 1 && planes[c].down == 1)
      copied(&planes[c], x, y, width, lines[c]);
    else
      upsampled(&planes[c], x, y, width, lines[c]);
  if (count != 3) {
    for (int i = 0; i < width; i++)
      colours[0][i] = (uint8_t)lines[0][i];
    return;
  }
  for (int i = 0; i < width; i++) {
    int luma = lines[0][i], blue = lines[1][i] - 128, red = lines[2][i] - 128;
    colours[0][i] = clamped(luma + ((91881 * red + 32768) >> 16));
    colours[1][i] = clamped(luma + ((-22554 * blue - 46802 * red + 32768) >> 16));
    colours[2][i] = clamped(luma + ((116130 * blue + 32768) >> 16));
  }
}

LEAFLOG_CLONES
void leaflog_pixels(const LeaflogPlane *planes, int count, int x, int y, int width, int height,
                    uint8_t *pixels) {
  uint8_t colours[3][pixels_at_once];
  for (int row = 0; row < height; row++)
    for (int start = 0; start < width; start += pixels_at_once) {
      int length = within(width - start, 0, pixels_at_once);
      uint8_t *to = pixels + ((size_t)row * width + start) * (count == 3 ? 3 : 1);
      coloured(planes, count, x + start, y + row, length, colours);
      if (count != 3) {
        memcpy(to, colours[0], (size_t)length);
        continue;
      }
      for (int i = 0; i < length; i++)
        for (int c = 0; c < 3; c++)
          to[3 * i + c] = colours[c][i];
    }
}

LEAFLOG_CLONES
void leaflog_light(const LeaflogPlane *planes, int count, int x, int y, LeaflogShape shape,
                   const float *curve, float *const *light) {
  uint8_t colours[3][pixels_at_once];
  for (int row = 0; row < shape.height; row++)
    for (int start = 0; start < shape.width; start += pixels_at_once) {
      int length = within(shape.width - start, 0, pixels_at_once);
      coloured(planes, count, x + start, y + row, length, colours);
      for (int c = 0; c < count; c++) {
        float *to = light[c] + row * shape.stride + start;
        for (int i = 0; i < length; i++)
          to[i] = curve[colours[c][i]];
      }
    }
}
