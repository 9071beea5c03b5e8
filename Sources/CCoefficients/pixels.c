/* Requantising, and from samples to pixels. */
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
      /* T.81 has 11 bits for the DC's differences and 10 for the others. */
      int whole = (int)(level < 1023 ? level : 1023);
      target[b][i] = (int16_t)(value < 0 ? -whole : whole);
    }
}

enum { pixels_at_once = 256 };

/* The place of a sample in its part of the plane, or that of the nearest. */
LEAFLOG_INLINE int place(int at, int first, int count) {
  at -= first;
  at = at < 0 ? 0 : at;
  return at < count ? at : count - 1;
}

/* `line` gets the samples of row y from x on, interpolated as libjpeg's "fancy" upsampling does. */
LEAFLOG_INLINE void upsampled(const LeaflogPlane *plane, int x, int y, int width, int16_t *line) {
  int row = y / plane->down;
  int other = plane->down == 1 ? row : y % 2 ? row + 1 : row - 1;
  const uint8_t *near = plane->samples + (size_t)place(row, plane->top, plane->height) * plane->stride;
  const uint8_t *far = plane->samples + (size_t)place(other, plane->top, plane->height) * plane->stride;
  /* Four times the samples of this line of chroma, with one more at each end. */
  int16_t blended[pixels_at_once + 3];
  int first = x / plane->across - 1, count = (width + plane->across - 1) / plane->across + 3;
  for (int i = 0; i < count && i < pixels_at_once + 3; i++) {
    int at = place(first + i, plane->left, plane->width);
    blended[i] = (int16_t)(3 * near[at] + far[at]);
  }
  if (plane->across == 1) {
    for (int i = 0; i < width; i++)
      line[i] = (int16_t)((blended[i + 1] + 2) >> 2);
    return;
  }
  /* x is even wherever this is called from. */
  for (int i = 0; i < width / 2; i++) {
    line[2 * i] = (int16_t)((3 * blended[i + 1] + blended[i] + 8) >> 4);
    line[2 * i + 1] = (int16_t)((3 * blended[i + 1] + blended[i + 2] + 7) >> 4);
  }
  if (width % 2)
    line[width - 1] = (int16_t)((3 * blended[width / 2 + 1] + blended[width / 2] + 8) >> 4);
}

/* The same where there is a sample for every pixel. */
LEAFLOG_INLINE void copied(const LeaflogPlane *plane, int x, int y, int width, int16_t *line) {
  const uint8_t *row = plane->samples + (size_t)place(y, plane->top, plane->height) * plane->stride;
  if (x >= plane->left && x + width <= plane->left + plane->width) {
    for (int i = 0; i < width; i++)
      line[i] = row[x - plane->left + i];
    return;
  }
  for (int i = 0; i < width; i++)
    line[i] = row[place(x + i, plane->left, plane->width)];
}

LEAFLOG_INLINE uint8_t clamped(int value) {
  value = value < 0 ? 0 : value;
  return (uint8_t)(value > 255 ? 255 : value);
}

LEAFLOG_CLONES
void leaflog_pixels(const LeaflogPlane *planes, int count, int x, int y, int width, int height,
                    uint8_t *pixels) {
  for (int row = 0; row < height; row++)
    for (int start = 0; start < width; start += pixels_at_once) {
      int16_t lines[3][pixels_at_once];
      int length = width - start < pixels_at_once ? width - start : pixels_at_once;
      uint8_t *to = pixels + ((size_t)row * width + start) * (count == 3 ? 3 : 1);
      for (int c = 0; c < count; c++)
        if (planes[c].across == 1 && planes[c].down == 1)
          copied(&planes[c], x + start, y + row, length, lines[c]);
        else
          upsampled(&planes[c], x + start, y + row, length, lines[c]);
      if (count != 3) {
        for (int i = 0; i < length; i++)
          to[i] = (uint8_t)lines[0][i];
        continue;
      }
      /* JFIF's conversion, in fractions of 65536. */
      for (int i = 0; i < length; i++) {
        int luma = lines[0][i], blue = lines[1][i] - 128, red = lines[2][i] - 128;
        to[3 * i] = clamped(luma + ((91881 * red + 32768) >> 16));
        to[3 * i + 1] = clamped(luma + ((-22554 * blue - 46802 * red + 32768) >> 16));
        to[3 * i + 2] = clamped(luma + ((116130 * blue + 32768) >> 16));
      }
    }
}
