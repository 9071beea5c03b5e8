/* Loops over planes of floats, for SSIMULACRA2 and for alignment.
 *
 * A plane's rows are `stride` apart, a multiple of LEAFLOG_LANES; samples beyond `width` are finite. Machine code
 * for every processor gives the same bits: see planes.c. */
#ifndef LEAFLOG_PLANES_H
#define LEAFLOG_PLANES_H

#include <stddef.h>

#define LEAFLOG_LANES 16

typedef struct {
  int width;
  int height;
  size_t stride;
} LeaflogShape;

/* The number of floats in `scratch` that the functions below need. */
size_t leaflog_scratch_count(size_t stride);

/* A Gaussian blur of a standard deviation of 1.5, cut off at five samples, borders mirrored. */
void leaflog_blur(const float *plane, LeaflogShape shape, float *result, float *scratch);

/* Half the size, rounded up; each sample is the mean of the up to four that it covers. */
void leaflog_halve_plane(const float *plane, LeaflogShape shape, float *result, size_t result_stride);

/* XYB (JPEG XL, ISO/IEC 18181-1) of `count` pixels in linear light, a multiple of LEAFLOG_LANES, shifted to be
* positive as in SSIMULACRA2. Each of `x`, `y` and `b` may be NULL. */
void leaflog_xyb(const float *red, const float *green, const float *blue, size_t count, float *x,
                 float *y, float *b);

/* A plane to compare others with, and values computed from it in advance. */
typedef struct {
  LeaflogShape shape;
  const float *samples;
  /* The blurred plane. */
  float *mean;
  /* The variance, with a constant that keeps quotients finite. */
  float *spread;
} LeaflogReference;

/* Sets `mean` and `spread`. */
void leaflog_prepare(const LeaflogReference *reference, float *scratch);

/* Sums over all samples: of the structural dissimilarity and its fourth power, and of the fourth powers of
* edges that the other plane adds, and loses. */
typedef struct {
  double dissimilarity;
  double dissimilarity4;
  double artifact4;
  double lost_detail4;
} LeaflogDifferences;

/* Adds the differences of a plane of the same shape. */
void leaflog_compare(const LeaflogReference *reference, const float *plane, float *scratch,
                     LeaflogDifferences *sums);

#endif
