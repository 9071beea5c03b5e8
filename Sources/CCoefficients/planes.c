/* Blurs and comparisons. A blur passes over the rows of a plane once: each is blurred horizontally into a ring of the
* last few, which are blurred vertically, so that everything stays in the processor's nearest cache.
*
* Vectors have the same number of lanes on every processor; where they are too wide, the compiler splits them into two
* or four. Sums, and so scores, are therefore the same everywhere. */
#include "clones.h"
#include "include/planes.h"

enum { lanes = LEAFLOG_LANES, radius = 5, ring = 16 };

typedef float Lanes __attribute__((vector_size(sizeof(float) * lanes), aligned(4), may_alias));
typedef unsigned Bits __attribute__((vector_size(sizeof(float) * lanes), aligned(4), may_alias));

#define AT(address) (*(Lanes *)(address))
#define CONST_AT(address) (*(const Lanes *)(address))

/* exp(-i^2 / 2 s^2) for s = 1.5, normalised over -5...5. */
static const float gaussian[radius + 1] = {0.26601172f, 0.21300554f, 0.10936069f,
                                           0.03600077f, 0.00759876f, 0.00102838f};

LEAFLOG_INLINE int mirrored(int at, int count) {
  at = at < 0 ? -1 - at : at >= count ? 2 * count - 1 - at : at;
  at = at < 0 ? 0 : at;
  return at < count ? at : count - 1;
}

/* The scratch memory has, for each of up to three quantities, a few lines with margins, and then the ring. */
enum { max_quantities = 3, line_count = 4, ahead = 2 };

size_t leaflog_scratch_count(size_t stride) {
  return max_quantities * (line_count * (stride + 2 * lanes) + ring * stride);
}

LEAFLOG_INLINE float *line_of(float *scratch, size_t stride, int quantity, int row) {
  return scratch + (quantity * line_count + row % line_count) * (stride + 2 * lanes) + lanes;
}

LEAFLOG_INLINE float *ring_of(float *scratch, size_t stride, int quantity, int row) {
  return scratch + max_quantities * line_count * (stride + 2 * lanes) +
         (quantity * ring + row % ring) * stride;
}

/* Fills the lines of a row: the plane's samples, their squares, and their products with the other's. */
LEAFLOG_INLINE void fill(const float *plane, const float *other, LeaflogShape shape, int row,
                         float *scratch, int quantities) {
  const size_t stride = shape.stride;
  float *line[max_quantities];
  for (int q = 0; q < quantities; q++)
    line[q] = line_of(scratch, stride, q, row);
  for (size_t x = 0; x < stride; x += lanes) {
    Lanes value = CONST_AT(plane + row * stride + x);
    AT(line[0] + x) = value;
    if (quantities > 1)
      AT(line[1] + x) = value * value;
    if (quantities > 2)
      AT(line[2] + x) = value * CONST_AT(other + row * stride + x);
  }
  for (int i = 1; i <= radius; i++) {
    int depth = i < shape.width ? i : shape.width;
    for (int q = 0; q < quantities; q++) {
      line[q][-i] = line[q][depth - 1];
      line[q][shape.width - 1 + i] = line[q][shape.width - depth];
    }
  }
}

LEAFLOG_INLINE void blur_across(size_t stride, int row, float *scratch, int quantities) {
  for (int q = 0; q < quantities; q++) {
    const float *line = line_of(scratch, stride, q, row);
    float *result = ring_of(scratch, stride, q, row);
    for (size_t x = 0; x < stride; x += lanes) {
      Lanes sum = gaussian[0] * CONST_AT(line + x);
      for (int i = 1; i <= radius; i++)
        sum += gaussian[i] * (CONST_AT(line + x - i) + CONST_AT(line + x + i));
      AT(result + x) = sum;
    }
  }
}

/* Blurs the rows in the ring around a row vertically. */
#define BLURRED_DOWN(result, quantity)                                                          \
  Lanes result = gaussian[0] * CONST_AT(rows[radius] + (quantity) * ring * stride + x);          \
  for (int i = 1; i <= radius; i++)                                                              \
    result += gaussian[i] * (CONST_AT(rows[radius - i] + (quantity) * ring * stride + x) +        \
                             CONST_AT(rows[radius + i] + (quantity) * ring * stride + x));

/* Finds the rows of the ring around row y, after blurring the missing ones horizontally; `done` rows are already. */
LEAFLOG_INLINE int turn(const float *plane, const float *other, LeaflogShape shape, int y, int done,
                        float *scratch, int quantities, const float **rows) {
  /* Lines are filled some time before they are blurred: a load that spans stores waits until they reach the cache. */
  for (int row = 0; y == 0 && row < ahead && row < shape.height; row++)
    fill(plane, other, shape, row, scratch, quantities);
  for (; done <= y + radius && done < shape.height; done++) {
    if (done + ahead < shape.height)
      fill(plane, other, shape, done + ahead, scratch, quantities);
    blur_across(shape.stride, done, scratch, quantities);
  }
  for (int i = -radius; i <= radius; i++)
    rows[radius + i] = ring_of(scratch, shape.stride, 0, mirrored(y + i, shape.height));
  return done;
}

LEAFLOG_CLONES
void leaflog_blur(const float *plane, LeaflogShape shape, float *result, float *scratch) {
  const size_t stride = shape.stride;
  const float *rows[2 * radius + 1];
  for (int y = 0, done = 0; y < shape.height; y++) {
    done = turn(plane, NULL, shape, y, done, scratch, 1, rows);
    for (size_t x = 0; x < stride; x += lanes) {
      BLURRED_DOWN(mean, 0)
      AT(result + y * stride + x) = mean;
    }
  }
}

static const float c2 = 0.0009f;

LEAFLOG_CLONES
void leaflog_prepare(const LeaflogReference *reference, float *scratch) {
  const size_t stride = reference->shape.stride;
  const float *rows[2 * radius + 1];
  for (int y = 0, done = 0; y < reference->shape.height; y++) {
    done = turn(reference->samples, NULL, reference->shape, y, done, scratch, 2, rows);
    for (size_t x = 0; x < stride; x += lanes) {
      BLURRED_DOWN(mean, 0)
      BLURRED_DOWN(square, 1)
      AT(reference->mean + y * stride + x) = mean;
      AT(reference->spread + y * stride + x) = square - mean * mean + c2;
    }
  }
}

#define MAGNITUDE(value) ((Lanes)((Bits)(value) & 0x7FFFFFFFu))
#define WHERE(condition, value) ((Lanes)((Bits)(condition) & (Bits)(value)))

LEAFLOG_INLINE double total(const float *sums) {
  double total = 0;
  for (int i = 0; i < lanes; i++)
    total += sums[i];
  return total;
}

LEAFLOG_CLONES
void leaflog_compare(const LeaflogReference *reference, const float *plane, float *scratch,
                     LeaflogDifferences *sums) {
  /* A mask with 1 for the lanes inside the plane, read from `lanes` minus their number on. */
  static const float inside[2 * lanes] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const LeaflogShape shape = reference->shape;
  const size_t stride = shape.stride, width = (size_t)shape.width;
  const float *rows[2 * radius + 1];
  for (int y = 0, done = 0; y < shape.height; y++) {
    done = turn(plane, reference->samples, shape, y, done, scratch, 3, rows);
    Lanes row[4] = {{0}};
    for (size_t x = 0; x < stride; x += lanes) {
      size_t at = y * stride + x;
      BLURRED_DOWN(mean2, 0)
      BLURRED_DOWN(square2, 1)
      BLURRED_DOWN(product, 2)
      Lanes mask = CONST_AT(inside + (x + lanes <= width ? 0 : lanes - (width - x)));
      Lanes mean1 = CONST_AT(reference->mean + at);
      Lanes difference = mean1 - mean2, covariance = product - mean1 * mean2;
      Lanes dissimilarity = 1 - (1 - difference * difference) * (covariance + covariance + c2) /
                                    (CONST_AT(reference->spread + at) + (square2 - mean2 * mean2));
      dissimilarity = mask * WHERE(dissimilarity > 0, dissimilarity);
      Lanes squared = dissimilarity * dissimilarity;
      Lanes source = CONST_AT(reference->samples + at), copy = CONST_AT(plane + at);
      Lanes edge = (1 + MAGNITUDE(copy - mean2)) / (1 + MAGNITUDE(source - mean1)) - 1;
      Lanes edge2 = edge * edge, edge4 = mask * (edge2 * edge2);
      row[0] += dissimilarity;
      row[1] += squared * squared;
      row[2] += WHERE(edge > 0, edge4);
      row[3] += WHERE(edge < 0, edge4);
    }
    sums->dissimilarity += total((const float *)&row[0]);
    sums->dissimilarity4 += total((const float *)&row[1]);
    sums->artifact4 += total((const float *)&row[2]);
    sums->lost_detail4 += total((const float *)&row[3]);
  }
}

LEAFLOG_CLONES
void leaflog_halve_plane(const float *plane, LeaflogShape shape, float *result, size_t result_stride) {
  size_t pairs = (size_t)shape.width / 2;
  for (int y = 0; y < (shape.height + 1) / 2; y++) {
    const float *upper = plane + 2 * y * shape.stride;
    const float *lower = 2 * y + 1 < shape.height ? upper + shape.stride : upper;
    float *to = result + y * result_stride;
    for (size_t x = 0; x < pairs; x++)
      to[x] = (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]) / 4;
    if (shape.width % 2)
      to[pairs] = (upper[2 * pairs] + lower[2 * pairs]) / 2;
  }
}

/* Cube roots of positive numbers: a third of the exponent and mantissa bits as a first guess (1/3 = 1/4 + 1/16 +
* 1/64 ...), then two steps of Halley's method, which leave an error in float's last bit or two. */
LEAFLOG_INLINE void take_cube_root(Lanes *value) {
  Lanes cube_wanted = *value;
  Bits bits = (Bits)cube_wanted, third = (bits >> 2) + (bits >> 4);
  third += third >> 4;
  third += third >> 8;
  Lanes root = (Lanes)(third + 709958130u);
  for (int i = 0; i < 2; i++) {
    Lanes cube = root * root * root;
    root *= (cube + cube_wanted + cube_wanted) / (cube + cube + cube_wanted);
  }
  *value = root;
}

LEAFLOG_CLONES
void leaflog_xyb(const float *red, const float *green, const float *blue, size_t count, float *x,
                 float *y, float *b) {
  const float bias = 0.0037930733f, root_of_bias = 0.15595420054f;
  for (size_t at = 0; at < count; at += lanes) {
    Lanes r = CONST_AT(red + at), g = CONST_AT(green + at), blues = CONST_AT(blue + at);
    Lanes longs = 0.3f * r + 0.622f * g + 0.078f * blues + bias;
    Lanes middles = 0.23f * r + 0.692f * g + 0.078f * blues + bias;
    take_cube_root(&longs);
    take_cube_root(&middles);
    longs -= root_of_bias;
    middles -= root_of_bias;
    if (x)
      AT(x + at) = 7 * (longs - middles) + 0.42f;
    if (y)
      AT(y + at) = 0.5f * (longs + middles) + 0.01f;
    if (b) {
      Lanes shorts = 0.24342269f * r + 0.20476744f * g + 0.55180987f * blues + bias;
      take_cube_root(&shorts);
      AT(b + at) = shorts - root_of_bias - 0.5f * (longs + middles) + 0.55f;
    }
  }
}
