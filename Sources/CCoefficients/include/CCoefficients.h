/* Loops over the coefficients of JPEG files (ITU-T T.81) that a compiler can vectorise: requantising,
* inverse transforms at four scales, halving, conversion to RGB, and Huffman coding.
*
* A block is 64 coefficients in natural order. Nothing here depends on the size of a coefficient: untrusted
* files may have any. */
#ifndef LEAFLOG_COEFFICIENTS_H
#define LEAFLOG_COEFFICIENTS_H

#include <stddef.h>
#include <stdint.h>

#include "planes.h"

typedef int16_t LeaflogBlock[64];

/* How coefficients become multiples of other steps: a coefficient's magnitude is multiplied by `ratio` (its
 * own step over the new one), `rounding` is added, and the fraction dropped. Half is plain rounding; less
 * leaves a dead zone around zero. */
typedef struct {
  float ratio[64];
  float rounding[64];
} LeaflogRequantizer;

/* Requantises from `steps` to `target`. */
LeaflogRequantizer leaflog_requantizer(const float *steps, const uint32_t *target,
                                       const float *rounding);

/* `source` and `target` may be the same. */
void leaflog_requantize(const LeaflogRequantizer *requantizer, const LeaflogBlock *source,
                        LeaflogBlock *target, size_t count);

/* Computes the samples of a row of blocks, `rows` x `columns` of them (1, 2, 4 or 8 each way) per block: the
* inverse transform of that many low frequencies. `samples` points to the first block's upper left one. */
void leaflog_inverse(const LeaflogBlock *blocks, size_t count, const float *steps, int rows,
                     int columns, uint8_t *samples, size_t stride);

/* The steps of blocks that are computed rather than read: small enough for rounding not to matter. */
#define LEAFLOG_FINE_STEP 0.125f

/* Computes a row of blocks at half the height, the width or both: each sample is the mean of two or four.
* `upper` and `lower` have `count` blocks of the steps given; without halved height, `lower` is not read. The
* result has (count + 1) / 2 blocks with halved width, otherwise `count`, in steps of LEAFLOG_FINE_STEP. */
void leaflog_halve(const LeaflogBlock *upper, const LeaflogBlock *lower, size_t count,
                   const float *steps, int halves_height, int halves_width, LeaflogBlock *target);

/* Computes the blocks of an 8-bit picture, grey (1 band) or RGB (3), chroma halved both ways, in steps of
* LEAFLOG_FINE_STEP. The edges are repeated beyond them. `luma` has (width + 7) / 8 blocks per row and
* (height + 7) / 8 rows; `blue` and `red`, which grey does not need, (width + 15) / 16 and (height + 15) / 16.
* Returns 0 when out of memory. */
int leaflog_forward(const uint8_t *pixels, int bands, int width, int height, LeaflogBlock *luma,
                    LeaflogBlock *blue, LeaflogBlock *red);

/* Adds up the detail of a row of blocks: each adds `area` times the square of the number of its coefficients whose
* magnitude is above `limits`, the mean left out, to the cell that it belongs to; a cell has `blocks_per_cell` of
* the row. */
void leaflog_detail(const LeaflogBlock *blocks, size_t count, const int16_t *limits, uint32_t area,
                    size_t blocks_per_cell, uint32_t *cells);

/* A part of the samples of one component. */
typedef struct {
  const uint8_t *samples;
  size_t stride;
  /* The position of the part among all of the component's samples, and its size. */
  int left;
  int top;
  int width;
  int height;
  /* The width and height of a sample in the picture's pixels, 1 or 2. */
  int across;
  int down;
} LeaflogPlane;

/* Computes pixels as libjpeg does: subsampled chroma is interpolated linearly. They start at (x, y) of three
* planes (YCbCr to RGB) or one (grey), without padding; x must be even. */
void leaflog_pixels(const LeaflogPlane *planes, int count, int x, int y, int width, int height,
                    uint8_t *pixels);

/* The same as one or three planes of the shape, in linear light: `curve` has the light of each 8-bit sample. */
void leaflog_light(const LeaflogPlane *planes, int count, int x, int y, LeaflogShape shape,
                   const float *curve, float *const *light);

/* A component of a file to write. */
typedef struct {
  /* One pointer for each row of blocks. */
  const LeaflogBlock *const *rows;
  int width_in_blocks;
  int height_in_blocks;
  /* Sampling factors. */
  int across;
  int down;
  const LeaflogRequantizer *requantizer;
  /* Steps to write, in natural order; components share tables 0 (the first) and 1 (the others). */
  const uint8_t *steps;
} LeaflogComponent;

/* Writes a baseline JPEG with Huffman tables made for it. `segments` are written after the JFIF header: each a
* marker code, two bytes of length (big-endian, itself included), and the payload.
* Returns NULL when it would exceed `max_count` bytes, or when out of memory. The caller frees it with free(). */
uint8_t *leaflog_write(const LeaflogComponent *components, int count, int width, int height,
                       const uint8_t *segments, size_t segments_count, size_t max_count,
                       size_t *result_count);

#endif
