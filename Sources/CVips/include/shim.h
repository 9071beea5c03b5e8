/* One wrapper for each libvips operation that Imaging uses: they take variadic, NULL-terminated option
* lists, which Swift does not import. Each returns NULL or non-zero on failure, with the reason in
* libvips' error buffer. */
#ifndef CVIPS_SHIM_H
#define CVIPS_SHIM_H

#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <vips/vips.h>

static inline void leaflog_ignore_log(const gchar *domain, GLogLevelFlags level,
                                      const gchar *message, gpointer data) {
  (void)domain, (void)level, (void)message, (void)data;
}

/* A lock for the code that liborc compiles.
 *
 * Up to 8.14, libvips shrinks with programs that liborc compiles when a `reducev` operation is built, and
 * frees when it ends. libvips compiles under a lock but frees without one, and both change the same list:
 * two threads that shrink may crash in orc_code_allocate_codemem(). An operation ends with the last
 * reference to its image, on whichever thread that is, so the lock is put into the class. Building computes
 * no pixels; they are computed without the lock.
 *
 * No other operation used here compiles code while threads run: arithmetic does so when its classes are
 * made, which is when the loaders are blocked. */
typedef struct {
  GRecMutex lock;
  int (*build)(VipsObject *);
  void (*finalize)(GObject *);
} LeaflogReducev;

/* The lock, and the class's original functions. Swift emits only those variables of a header that are inside
* inline functions. */
static inline LeaflogReducev *leaflog_reducev(void) {
  static LeaflogReducev reducev;
  return &reducev;
}

static inline int leaflog_reducev_build(VipsObject *object) {
  LeaflogReducev *reducev = leaflog_reducev();
  g_rec_mutex_lock(&reducev->lock);
  int code = reducev->build(object);
  g_rec_mutex_unlock(&reducev->lock);
  return code;
}

static inline void leaflog_reducev_finalize(GObject *object) {
  LeaflogReducev *reducev = leaflog_reducev();
  g_rec_mutex_lock(&reducev->lock);
  reducev->finalize(object);
  g_rec_mutex_unlock(&reducev->lock);
}

static inline void leaflog_lock_reducev(void) {
  VipsObjectClass *object_class = g_type_class_ref(g_type_from_name("VipsReducev"));
  LeaflogReducev *reducev = leaflog_reducev();
  reducev->build = object_class->build;
  reducev->finalize = G_OBJECT_CLASS(object_class)->finalize;
  object_class->build = leaflog_reducev_build;
  G_OBJECT_CLASS(object_class)->finalize = leaflog_reducev_finalize;
}

/* Called once. Warnings of libvips are dropped: they come with an error or are nothing a user can act on, and
* standard error belongs to the program. */
static inline int leaflog_vips_init(void) {
  g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING | G_LOG_LEVEL_INFO, leaflog_ignore_log, NULL);
  int code = VIPS_INIT("leaflog");
  if (code == 0)
    leaflog_lock_reducev();
  return code;
}

typedef enum {
  LEAFLOG_JPEG,
  LEAFLOG_PNG,
  LEAFLOG_WEBP,
  LEAFLOG_TIFF,
  LEAFLOG_GIF,
  LEAFLOG_HEIF,
} LeaflogLoader;

/* Shares the pixels; the metadata can be changed. */
static inline VipsImage *leaflog_copy(VipsImage *image) {
  VipsImage *result = NULL;
  vips_copy(image, &result, NULL);
  return result;
}

/* Gives an image its own copies of its blobs, and drops the caller's reference to the original. libvips' HEIF loader
* sets blobs that belong to libheif's context, which ends with the loader, while images made from this one still use
* the colour profile. */
static inline VipsImage *leaflog_owning_blobs(VipsImage *image) {
  VipsImage *result = image ? leaflog_copy(image) : NULL;
  char **names = result ? vips_image_get_fields(result) : NULL;
  for (char **name = names; name && *name; name++) {
    const void *bytes = NULL;
    size_t count = 0;
    if (vips_image_get_typeof(result, *name) == VIPS_TYPE_BLOB &&
        vips_image_get_blob(image, *name, &bytes, &count) == 0)
      vips_image_set_blob_copy(result, *name, bytes, count);
  }
  g_strfreev(names);
  if (image)
    g_object_unref(image);
  return result;
}

/* `shrink` (1, 2, 4, 8) is for JPEG only. The bytes must outlive the image. */
static inline VipsImage *leaflog_load(LeaflogLoader loader, const void *bytes, size_t count,
                                      VipsFailOn fail_on, int shrink) {
  void *buffer = (void *)bytes;
  VipsImage *image = NULL;
#define LEAFLOG_OPTIONS "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on
  switch (loader) {
  case LEAFLOG_JPEG:
    vips_jpegload_buffer(buffer, count, &image, "shrink", shrink, LEAFLOG_OPTIONS, NULL);
    break;
  case LEAFLOG_PNG: vips_pngload_buffer(buffer, count, &image, LEAFLOG_OPTIONS, NULL); break;
  case LEAFLOG_WEBP: vips_webpload_buffer(buffer, count, &image, LEAFLOG_OPTIONS, NULL); break;
  case LEAFLOG_TIFF: vips_tiffload_buffer(buffer, count, &image, LEAFLOG_OPTIONS, NULL); break;
  case LEAFLOG_GIF: vips_gifload_buffer(buffer, count, &image, LEAFLOG_OPTIONS, NULL); break;
  case LEAFLOG_HEIF:
    vips_heifload_buffer(buffer, count, &image, LEAFLOG_OPTIONS, NULL);
    image = leaflog_owning_blobs(image);
    break;
  }
#undef LEAFLOG_OPTIONS
  return image;
}

/* Another picture of a TIFF than the first: a page, or a sub-directory of it unless that is -1. The bytes must outlive
* the image. */
static inline VipsImage *leaflog_load_page(const void *bytes, size_t count, VipsFailOn fail_on,
                                           int page, int subdirectory) {
  VipsImage *image = NULL;
  vips_tiffload_buffer((void *)bytes, count, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                       fail_on, "page", page, "subifd", subdirectory, NULL);
  return image;
}

/* Copies the pixels. */
static inline VipsImage *leaflog_from_memory(const void *pixels, size_t count, int width,
                                             int height, int bands) {
  VipsImage *image = vips_image_new_from_memory_copy(pixels, count, width, height, bands,
                                                     VIPS_FORMAT_UCHAR);
  if (image)
    image->Type = bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  return image;
}

/* An upright copy within a square of `side` pixels, never enlarged, and in sRGB if the image has a
* profile. Without one no conversion is requested: libvips would assume a profile and shift the
* colours of an image that is already sRGB. */
static inline VipsImage *leaflog_thumbnail(VipsImage *image, int side) {
  VipsImage *thumbnail = NULL;
  if (vips_image_get_typeof(image, VIPS_META_ICC_NAME))
    vips_thumbnail_image(image, &thumbnail, side, "size", VIPS_SIZE_DOWN, "export_profile", "srgb",
                         "intent", VIPS_INTENT_PERCEPTUAL, NULL);
  else
    vips_thumbnail_image(image, &thumbnail, side, "size", VIPS_SIZE_DOWN, NULL);
  return thumbnail;
}

static inline VipsImage *leaflog_to_srgb(VipsImage *image) {
  VipsImage *result = NULL;
  vips_colourspace(image, &result, VIPS_INTERPRETATION_sRGB, NULL);
  return result;
}

/* Flattens transparency onto white. */
static inline VipsImage *leaflog_flatten(VipsImage *image) {
  VipsImage *result = NULL;
  VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
  vips_flatten(image, &result, "background", white, NULL);
  vips_area_unref(VIPS_AREA(white));
  return result;
}

static inline VipsImage *leaflog_autorot(VipsImage *image) {
  VipsImage *result = NULL;
  vips_autorot(image, &result, NULL);
  return result;
}

/* Resizes by separate horizontal and vertical factors. */
static inline VipsImage *leaflog_resize(VipsImage *image, double horizontal, double vertical) {
  VipsImage *result = NULL;
  vips_resize(image, &result, horizontal, "vscale", vertical, NULL);
  return result;
}

/* Transforms onto a canvas of `width` x `height`: the input's (x, y) goes to (a x + b y + dx, c x + d y + dy),
* where integers are the centres of pixels. Uncovered pixels are black. */
static inline VipsImage *leaflog_affine(VipsImage *image, double a, double b, double c, double d,
                                        double dx, double dy, int width, int height) {
  VipsImage *result = NULL;
  VipsInterpolate *bicubic = vips_interpolate_new("bicubic");
  VipsArrayInt *area = vips_array_int_newv(4, 0, 0, width, height);
  vips_affine(image, &result, a, b, c, d, "interpolate", bicubic, "oarea", area, "odx", dx, "ody",
              dy, NULL);
  vips_area_unref(VIPS_AREA(area));
  g_object_unref(bicubic);
  return result;
}

/* Adds a margin of copies of the edge pixels on all sides. */
static inline VipsImage *leaflog_extend(VipsImage *image, int margin) {
  VipsImage *result = NULL;
  vips_embed(image, &result, margin, margin, image->Xsize + 2 * margin, image->Ysize + 2 * margin,
             "extend", VIPS_EXTEND_COPY, NULL);
  return result;
}

/* Multiplies each pixel of an 8-bit RGB image by a 3 x 3 matrix, with rounding. */
static inline VipsImage *leaflog_mix(VipsImage *image, const double *matrix) {
  VipsImage *product = NULL, *rounded = NULL, *result = NULL;
  VipsImage *factors = vips_image_new_matrix_from_array(3, 3, matrix, 9);
  if (vips_recomb(image, &product, factors, NULL) == 0 &&
      vips_linear1(product, &rounded, 1.0, 0.5, NULL) == 0)
    vips_cast_uchar(rounded, &result, NULL);
  g_object_unref(factors);
  if (product)
    g_object_unref(product);
  if (rounded)
    g_object_unref(rounded);
  return result;
}

/* Maps each sample of an 8-bit RGB image through a table of 256 entries of red, green and blue. */
static inline VipsImage *leaflog_map(VipsImage *image, const void *table) {
  VipsImage *result = NULL;
  VipsImage *lut = vips_image_new_from_memory_copy(table, 256 * 3, 256, 1, 3, VIPS_FORMAT_UCHAR);
  if (lut) {
    vips_maplut(image, &result, lut, NULL);
    g_object_unref(lut);
  }
  return result;
}

/* Computes the shares, 0 to 1, of pixels of an 8-bit RGB image with a sample of `limit` or more: in any
* band, in red, in green and in blue. Returns 0, or -1 on an error. */
static inline int leaflog_bright_shares(VipsImage *image, int limit, double *shares) {
  VipsImage *bright = NULL, *any = NULL;
  int status = -1;
  if (vips_moreeq_const1(image, &bright, limit, NULL) == 0 &&
      vips_bandor(bright, &any, NULL) == 0 && vips_avg(any, &shares[0], NULL) == 0) {
    status = 0;
    for (int band = 0; band < 3 && status == 0; band++) {
      VipsImage *one = NULL;
      status = vips_extract_band(bright, &one, band, NULL);
      if (one) {
        status = vips_avg(one, &shares[band + 1], NULL);
        g_object_unref(one);
      }
    }
    for (int index = 0; index < 4; index++)
      shares[index] /= 255;
  }
  if (bright)
    g_object_unref(bright);
  if (any)
    g_object_unref(any);
  return status;
}

/* Converts 16 bits to 8: the upper byte of each sample, in the 8-bit counterpart of its colour space. */
static inline VipsImage *leaflog_to_8_bit(VipsImage *image) {
  VipsImage *narrow = NULL, *result = NULL;
  if (vips_cast(image, &narrow, VIPS_FORMAT_UCHAR, "shift", TRUE, NULL) == 0)
    vips_copy(narrow, &result, "interpretation",
              image->Bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB, NULL);
  if (narrow)
    g_object_unref(narrow);
  return result;
}

/* Scales samples of any format, adds a constant, and rounds them to 16 bits, within their limits. */
static inline VipsImage *leaflog_to_16_bit(VipsImage *image, double factor, double constant) {
  VipsImage *scaled = NULL, *narrow = NULL, *result = NULL;
  if (vips_linear1(image, &scaled, factor, constant + 0.5, NULL) == 0 &&
      vips_cast_ushort(scaled, &narrow, NULL) == 0)
    vips_copy(narrow, &result, "interpretation",
              image->Bands < 3 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16, NULL);
  if (scaled)
    g_object_unref(scaled);
  if (narrow)
    g_object_unref(narrow);
  return result;
}

/* The least, the greatest and the mean of all samples in the first `bands` bands; non-zero on failure. The image is
* read once. */
static inline int leaflog_range(VipsImage *image, int bands, double *least, double *greatest,
                                double *mean) {
  VipsImage *colours = NULL, *statistics = NULL;
  int status = -1;
  if (vips_extract_band(image, &colours, 0, "n", bands, NULL) == 0 &&
      vips_stats(colours, &statistics, NULL) == 0) {
    /* The first row is that of all bands: minimum, maximum, sum, sum of squares, mean. */
    *least = *VIPS_MATRIX(statistics, 0, 0);
    *greatest = *VIPS_MATRIX(statistics, 1, 0);
    *mean = *VIPS_MATRIX(statistics, 4, 0);
    status = 0;
  }
  if (colours)
    g_object_unref(colours);
  if (statistics)
    g_object_unref(statistics);
  return status;
}

/* The first `colours` bands and, unless it is negative, the band `alpha`. */
static inline VipsImage *leaflog_bands(VipsImage *image, int colours, int alpha) {
  VipsImage *first = NULL, *last = NULL, *result = NULL;
  if (vips_extract_band(image, &first, 0, "n", colours, NULL) || alpha < 0)
    return first;
  if (vips_extract_band(image, &last, alpha, NULL) == 0)
    vips_bandjoin2(first, last, &result, NULL);
  g_object_unref(first);
  if (last)
    g_object_unref(last);
  return result;
}

/* Divides the colours of an image by its transparency, which is its last band, in the format of its samples. */
static inline VipsImage *leaflog_unpremultiply(VipsImage *image) {
  VipsImage *divided = NULL, *rounded = NULL, *result = NULL;
  double white = image->BandFmt == VIPS_FORMAT_USHORT ? 65535 : 255;
  if (vips_unpremultiply(image, &divided, "max_alpha", white, NULL) == 0 &&
      vips_linear1(divided, &rounded, 1.0, 0.5, NULL) == 0)
    vips_cast(rounded, &result, image->BandFmt, NULL);
  if (divided)
    g_object_unref(divided);
  if (rounded)
    g_object_unref(rounded);
  return result;
}

/* Stretches samples of limited range (ITU-R BT.601: black is 16 of 255, white 235), but not a fourth band. */
static inline VipsImage *leaflog_full_range(VipsImage *image) {
  VipsImage *stretched = NULL, *result = NULL;
  double step = image->BandFmt == VIPS_FORMAT_USHORT ? 256 : 1;
  double white = step == 1 ? 255 : 65535, factor = white / (219 * step);
  double factors[4] = {factor, factor, factor, 1};
  double constants[4] = {0.5 - 16 * step * factor, 0.5 - 16 * step * factor, 0.5 - 16 * step * factor, 0.5};
  int bands = image->Bands;
  if (bands == 2)
    factors[1] = 1, constants[1] = 0.5;
  if (bands > 4)
    return NULL;
  if (vips_linear(image, &stretched, factors, constants, bands, NULL) == 0)
    vips_cast(stretched, &result, image->BandFmt, NULL);
  if (stretched)
    g_object_unref(stretched);
  return result;
}

/* The lightness (CIE L*) of `count` greys from black to white by a profile of grey (1 band) or RGB (3); non-zero on
* failure. */
static inline int leaflog_lightness(const void *profile, size_t profile_count, int bands, int count,
                                    double *lightness) {
  uint16_t greys[3 * 64];
  if (count < 2 || count > 64 || (bands != 1 && bands != 3))
    return -1;
  for (int index = 0; index < count * bands; index++)
    greys[index] = (uint16_t)(index / bands * 65535 / (count - 1));
  VipsImage *colours = NULL;
  VipsImage *ramp = vips_image_new_from_memory_copy(greys, (size_t)(count * bands) * sizeof greys[0],
                                                    count, 1, bands, VIPS_FORMAT_USHORT);
  if (!ramp)
    return -1;
  ramp->Type = bands == 1 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16;
  vips_image_set_blob_copy(ramp, VIPS_META_ICC_NAME, profile, profile_count);
  int status = vips_icc_import(ramp, &colours, "embedded", TRUE, "pcs", VIPS_PCS_LAB, NULL);
  for (int index = 0; index < count && status == 0; index++) {
    double *colour = NULL;
    int number = 0;
    status = vips_getpoint(colours, &colour, &number, index, 0, NULL);
    if (status == 0)
      lightness[index] = colour[0];
    g_free(colour);
  }
  if (colours)
    g_object_unref(colours);
  g_object_unref(ramp);
  return status;
}

static inline void leaflog_set_blob(VipsImage *image, const char *name, const void *bytes,
                                    size_t count) {
  vips_image_set_blob_copy(image, name, bytes, count);
}

static inline void leaflog_set_orientation(VipsImage *image, int orientation) {
  vips_image_set_int(image, VIPS_META_ORIENTATION, orientation);
}

/* Whether a profile can be used for an image, tested on one black pixel of the same format. */
static inline int leaflog_profile_is_readable(VipsImage *image, const void *profile, size_t count) {
  VipsImage *black = NULL, *pixel = NULL, *result = NULL;
  if (!vips_icc_is_compatible_profile(image, profile, count))
    return 0;
  int is_readable =
      vips_black(&black, 1, 1, "bands", image->Bands, NULL) == 0 &&
      vips_cast(black, &pixel, image->BandFmt, NULL) == 0;
  if (is_readable) {
    VipsImage *tagged = NULL;
    is_readable = vips_copy(pixel, &tagged, "interpretation", image->Type, NULL) == 0;
    if (is_readable) {
      vips_image_set_blob_copy(tagged, VIPS_META_ICC_NAME, profile, count);
      double *sample = NULL;
      int bands = 0;
      is_readable = vips_icc_import(tagged, &result, "embedded", TRUE, NULL) == 0 &&
                    vips_getpoint(result, &sample, &bands, 0, 0, NULL) == 0;
      g_free(sample);
      g_object_unref(tagged);
    }
  }
  if (result)
    g_object_unref(result);
  if (pixel)
    g_object_unref(pixel);
  if (black)
    g_object_unref(black);
  return is_readable;
}

static inline void leaflog_remove(VipsImage *image, const char *name) {
  vips_image_remove(image, name);
}

static inline void leaflog_unref(VipsImage *image) { g_object_unref(image); }

/* Text as one band of coverage, 0 to 255, laid out by Pango; `font` is a Pango description. */
static inline VipsImage *leaflog_text(const char *text, const char *font, int dpi) {
  VipsImage *result = NULL;
  vips_text(&result, text, "font", font, "dpi", dpi, NULL);
  return result;
}

/* Text as RGBA, no wider than `width`, with centred lines; `markup` is Pango markup. Coloured glyphs, such
* as emoji, keep their colours. Words that are too long are broken. */
static inline VipsImage *leaflog_text_block(const char *markup, const char *font, int width,
                                            int spacing) {
  VipsImage *result = NULL;
  vips_text(&result, markup, "font", font, "dpi", 72, "width", width, "spacing", spacing, "align",
            VIPS_ALIGN_CENTRE, "wrap", VIPS_TEXT_WRAP_WORD_CHAR, "rgba", TRUE, NULL);
  return result;
}

/* Scales to exactly `width` x `height`, up or down, cropping the excess equally at both ends. */
static inline VipsImage *leaflog_fill(VipsImage *image, int width, int height) {
  VipsImage *result = NULL;
  vips_thumbnail_image(image, &result, width, "height", height, "size", VIPS_SIZE_BOTH, "crop",
                       VIPS_INTERESTING_CENTRE, NULL);
  return result;
}

/* Shares the pixels. */
static inline VipsImage *leaflog_without_metadata(VipsImage *image) {
  VipsImage *result = NULL;
  if (vips_copy(image, &result, NULL))
    return NULL;
  char **names = vips_image_get_fields(result);
  for (char **name = names; *name; name++)
    vips_image_remove(result, *name);
  g_strfreev(names);
  return result;
}

/* Tiles copies of an image across and down. */
static inline VipsImage *leaflog_replicate(VipsImage *image, int across, int down) {
  VipsImage *result = NULL;
  vips_replicate(image, &result, across, down, NULL);
  return result;
}

/* Places an image over another; parts beyond the edges are cut off. */
static inline VipsImage *leaflog_insert(VipsImage *image, VipsImage *above, int x, int y) {
  VipsImage *result = NULL;
  vips_insert(image, above, &result, x, y, NULL);
  return result;
}

/* Places an 8-bit RGB image over another with a coverage of 0 to 255 per pixel; parts beyond the edges are
* cut off. vips_ifthenelse() blends integers; vips_composite() takes ten times as long in floating point.
* The shared rectangle is computed right away, so that overlapping images do not each compute everything
* below them again. */
static inline VipsImage *leaflog_cover(VipsImage *image, VipsImage *above, VipsImage *coverage, int x,
                                       int y) {
  VipsRect whole = {0, 0, image->Xsize, image->Ysize};
  VipsRect area = {x, y, above->Xsize, above->Ysize};
  vips_rect_intersectrect(&whole, &area, &area);
  VipsImage *result = NULL;
  if (vips_rect_isempty(&area)) {
    vips_copy(image, &result, NULL);
    return result;
  }
  int left = area.left, top = area.top, width = area.width, height = area.height;
  VipsImage *below = NULL, *cut = NULL, *weights = NULL, *mixed = NULL, *patch = NULL;
  if (vips_extract_area(image, &below, left, top, width, height, NULL) == 0 &&
      vips_extract_area(above, &cut, left - x, top - y, width, height, NULL) == 0 &&
      vips_extract_area(coverage, &weights, left - x, top - y, width, height, NULL) == 0 &&
      vips_ifthenelse(weights, cut, below, &mixed, "blend", TRUE, NULL) == 0 &&
      (patch = vips_image_copy_memory(mixed)) != NULL)
    vips_insert(image, patch, &result, left, top, NULL);
  VipsImage *made[] = {below, cut, weights, mixed, patch};
  for (int index = 0; index < 5; index++)
    if (made[index])
      g_object_unref(made[index]);
  return result;
}

/* Places an 8-bit RGB image over another with an opacity of 0 to 255. */
static inline VipsImage *leaflog_blend(VipsImage *image, VipsImage *above, double opacity, int x,
                                       int y) {
  VipsImage *coverage = vips_image_new_from_image(above, &opacity, 1);
  VipsImage *result = coverage ? leaflog_cover(image, above, coverage, x, y) : NULL;
  if (coverage)
    g_object_unref(coverage);
  return result;
}

/* Draws letters, given as coverage, over an image in one shade of grey. */
static inline VipsImage *leaflog_draw_mask(VipsImage *image, VipsImage *coverage, double grey, int x,
                                           int y) {
  double colour[3] = {grey, grey, grey};
  VipsImage *letters = vips_image_new_from_image(coverage, colour, 3);
  VipsImage *result = letters ? leaflog_cover(image, letters, coverage, x, y) : NULL;
  if (letters)
    g_object_unref(letters);
  return result;
}

/* Places an 8-bit RGBA image over an opaque RGB one. */
static inline VipsImage *leaflog_draw_block(VipsImage *image, VipsImage *above, int x, int y) {
  VipsImage *result = NULL, *colours = NULL, *coverage = NULL;
  if (vips_extract_band(above, &colours, 0, "n", 3, NULL) == 0 &&
      vips_extract_band(above, &coverage, 3, NULL) == 0)
    result = leaflog_cover(image, colours, coverage, x, y);
  if (colours)
    g_object_unref(colours);
  if (coverage)
    g_object_unref(coverage);
  return result;
}

/* Dims each row of an 8-bit RGB image; `factors` has a byte per row, 255 for unchanged and 0 for black. */
static inline VipsImage *leaflog_dim(VipsImage *image, const void *factors) {
  double black[3] = {0, 0, 0};
  VipsImage *wide = NULL, *dark = vips_image_new_from_image(image, black, 3), *result = NULL;
  VipsImage *column = vips_image_new_from_memory_copy(factors, image->Ysize, 1, image->Ysize, 1,
                                                      VIPS_FORMAT_UCHAR);
  if (dark && column && vips_replicate(column, &wide, image->Xsize, 1, NULL) == 0)
    vips_ifthenelse(wide, image, dark, &result, "blend", TRUE, NULL);
  if (wide)
    g_object_unref(wide);
  if (column)
    g_object_unref(column);
  if (dark)
    g_object_unref(dark);
  return result;
}

/* Writes the next frame of an animation into `pixels`, RGB rows without padding. Non-zero aborts. */
typedef int (*LeaflogNextFrame)(void *context, uint8_t *pixels);

typedef struct {
  LeaflogNextFrame next;
  void *context;
  int height;
  int current; /* the index of the frame in `pixels`; -1 at first */
  uint8_t *pixels;
} LeaflogFrames;

static inline int leaflog_frames_generate(VipsRegion *out, void *sequence, void *a, void *b,
                                          gboolean *stop) {
  LeaflogFrames *frames = (LeaflogFrames *)a;
  VipsRect *area = &out->valid;
  size_t row_size = (size_t)out->im->Xsize * 3;
  (void)sequence, (void)b, (void)stop;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
    while (frames->current < y / frames->height) {
      if (frames->next(frames->context, frames->pixels) != 0) {
        vips_error("leaflog", "the frames ended");
        return -1;
      }
      frames->current++;
    }
    if (frames->current > y / frames->height) {
      vips_error("leaflog", "the frames were asked for out of order");
      return -1;
    }
    memcpy(VIPS_REGION_ADDR(out, area->left, y),
           frames->pixels + (size_t)(y % frames->height) * row_size + (size_t)area->left * 3,
           (size_t)area->width * 3);
  }
  return 0;
}

/* An animation in the form that libvips expects: all frames in one column, requested strip by strip from
* the top. It must run on one thread only, which keeps the order. */
static inline VipsImage *leaflog_animation(LeaflogFrames *frames, int width, int count, int *delays) {
  VipsImage *image = vips_image_new();
  vips_image_init_fields(image, width, frames->height * count, 3, VIPS_FORMAT_UCHAR,
                         VIPS_CODING_NONE, VIPS_INTERPRETATION_sRGB, 1.0, 1.0);
  if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_THINSTRIP, NULL) ||
      vips_image_generate(image, NULL, leaflog_frames_generate, NULL, frames, NULL)) {
    g_object_unref(image);
    return NULL;
  }
  vips_image_set_int(image, "page-height", frames->height);
  vips_image_set_int(image, "loop", 0); /* for ever */
  vips_image_set_array_int(image, "delay", delays, count);
  return image;
}

/* The caller frees the result with g_free(). */
static inline void *leaflog_webp(VipsImage *image, int quality, int effort, size_t *count) {
  void *bytes = NULL;
  if (vips_webpsave_buffer(image, &bytes, count, "Q", quality, "effort", effort, "strip", TRUE,
                           NULL))
    return NULL;
  return bytes;
}

static inline int leaflog_save_gif(VipsImage *image, const char *path) {
  return vips_gifsave(image, path, "effort", 4, "interframe_maxerror", 4.0, "strip", TRUE, NULL);
}

static inline int leaflog_save_png(VipsImage *image, const char *path) {
  return vips_pngsave(image, path, "strip", TRUE, NULL);
}

/* In C, as no Swift module has glibc's malloc.h, which defines M_ARENA_MAX and the like. */
static inline void leaflog_keep_large_blocks(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most that glibc accepts */
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

/* Large blocks go back to the system as soon as they are free. */
static inline void leaflog_return_large_blocks(void) {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

static inline void leaflog_release_free_memory(void) { malloc_trim(0); }

#endif
