/* One wrapper for each libvips operation that Imaging uses: they take variadic, NULL-ended option
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

/* What libvips warns of is either an error as well or nothing that a user can act on, and standard
 * error belongs to the program. */
static inline int leaflog_vips_init(void) {
  g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING | G_LOG_LEVEL_INFO, leaflog_ignore_log, NULL);
  return VIPS_INIT("leaflog");
}

typedef enum {
  LEAFLOG_JPEG,
  LEAFLOG_PNG,
  LEAFLOG_WEBP,
  LEAFLOG_TIFF,
  LEAFLOG_GIF,
  LEAFLOG_HEIF,
} LeaflogLoader;

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
  case LEAFLOG_HEIF: vips_heifload_buffer(buffer, count, &image, LEAFLOG_OPTIONS, NULL); break;
  }
#undef LEAFLOG_OPTIONS
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

/* Upright, within a square of `side` pixels, never enlarged, and in sRGB when the image says which
 * profile it has. Without one it is not asked for: libvips would assume a profile then, and shift
 * the colours of what was sRGB already. */
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

/* Lays what is transparent over white. */
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

/* To another size, each way by its own factor. */
static inline VipsImage *leaflog_resize(VipsImage *image, double horizontal, double vertical) {
  VipsImage *result = NULL;
  vips_resize(image, &result, horizontal, "vscale", vertical, NULL);
  return result;
}

/* Onto a canvas of `width` x `height`: the input's (x, y) goes to (a x + b y + dx, c x + d y + dy),
 * whole numbers being the pixels' centres. What it leaves free is black. */
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

/* With copies of its edge pixels all around. */
static inline VipsImage *leaflog_extend(VipsImage *image, int margin) {
  VipsImage *result = NULL;
  vips_embed(image, &result, margin, margin, image->Xsize + 2 * margin, image->Ysize + 2 * margin,
             "extend", VIPS_EXTEND_COPY, NULL);
  return result;
}

/* Each pixel of an 8-bit RGB image times a matrix of 3 x 3, rounded. */
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

/* Each sample of an 8-bit RGB image through a table: 256 entries of red, green and blue. */
static inline VipsImage *leaflog_map(VipsImage *image, const void *table) {
  VipsImage *result = NULL;
  VipsImage *lut = vips_image_new_from_memory_copy(table, 256 * 3, 256, 1, 3, VIPS_FORMAT_UCHAR);
  if (lut) {
    vips_maplut(image, &result, lut, NULL);
    g_object_unref(lut);
  }
  return result;
}

/* The shares, 0 to 1, of pixels of an 8-bit RGB image with a sample of `limit` or more: in any band,
 * in red, in green and in blue. 0, or -1 on an error. */
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

/* 16 bit to 8 bit: the upper byte of each sample, in the 8-bit sibling of its colour space. */
static inline VipsImage *leaflog_to_8_bit(VipsImage *image) {
  VipsImage *narrow = NULL, *result = NULL;
  if (vips_cast(image, &narrow, VIPS_FORMAT_UCHAR, "shift", TRUE, NULL) == 0)
    vips_copy(narrow, &result, "interpretation",
              image->Bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB, NULL);
  if (narrow)
    g_object_unref(narrow);
  return result;
}

static inline void leaflog_set_blob(VipsImage *image, const char *name, const void *bytes,
                                    size_t count) {
  vips_image_set_blob_copy(image, name, bytes, count);
}

static inline void leaflog_unref(VipsImage *image) { g_object_unref(image); }

/* Text as one band of coverage, 0 to 255, laid out by Pango; `font` is a Pango description. */
static inline VipsImage *leaflog_text(const char *text, const char *font, int dpi) {
  VipsImage *result = NULL;
  vips_text(&result, text, "font", font, "dpi", dpi, NULL);
  return result;
}

/* Text as RGBA, no wider than `width`, its lines in the middle; `markup` is Pango's. What comes in
 * colours, as emoji do, keeps them. Words that are too long are broken. */
static inline VipsImage *leaflog_text_block(const char *markup, const char *font, int width,
                                            int spacing) {
  VipsImage *result = NULL;
  vips_text(&result, markup, "font", font, "dpi", 72, "width", width, "spacing", spacing, "align",
            VIPS_ALIGN_CENTRE, "wrap", VIPS_TEXT_WRAP_WORD_CHAR, "rgba", TRUE, NULL);
  return result;
}

/* Exactly so large, whatever it takes; what is too much of its longer side is cut, half at each end. */
static inline VipsImage *leaflog_fill(VipsImage *image, int width, int height) {
  VipsImage *result = NULL;
  vips_thumbnail_image(image, &result, width, "height", height, "size", VIPS_SIZE_BOTH, "crop",
                       VIPS_INTERESTING_CENTRE, NULL);
  return result;
}

/* Writes the frames of an animation into `pixels`, RGB rows without padding, one after another from
 * the first. Non-zero ends the work. */
typedef int (*LeaflogNextFrame)(void *context, uint8_t *pixels);

typedef struct {
  LeaflogNextFrame next;
  void *context;
  int height;
  int current; /* which frame `pixels` has; -1 at first */
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

/* An animation as libvips wants it: all frames one below the other, of which it asks for a strip at a
 * time, from the top. One thread only: that is what keeps the order. */
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

/* The result is freed with g_free(). */
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

/* glibc's malloc.h is in no Swift module; M_ARENA_MAX and its like are only here. */
static inline void leaflog_keep_large_blocks(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most that glibc takes */
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

#endif
