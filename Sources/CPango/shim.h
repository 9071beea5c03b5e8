/* Cairo's headers, and declarations of the parts of Pango that Reports uses. Pango's own headers are in a
* folder that only its .pc files name, and those also name -pthread (through GIO), which SwiftPM rejects
* with a warning, and libraries that CLazyLibraries loads. The types and functions are those of Pango 1.50
* and part of its stable ABI; DeclarationTests has the compiler compare them with the headers. */
#ifndef CPANGO_SHIM_H
#define CPANGO_SHIM_H

/* Cairo's headers find each other in their own folder. */
#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>

typedef struct _PangoContext PangoContext;
typedef struct _PangoFont PangoFont;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoLanguage PangoLanguage;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutIter PangoLayoutIter;
typedef struct _PangoCairoFont PangoCairoFont;

#ifndef LEAFLOG_COMPARES_PANGO /* structures cannot be declared twice; the test compares offsets */

#define PANGO_SCALE 1024

typedef struct _PangoRectangle {
  int x, y, width, height;
} PangoRectangle;

typedef struct _PangoAnalysis {
  void *shape_engine, *lang_engine;
  PangoFont *font;
  unsigned char level, gravity, flags, script;
  PangoLanguage *language;
  void *extra_attrs;
} PangoAnalysis;

typedef struct _PangoItem {
  int offset, length, num_chars;
  PangoAnalysis analysis;
} PangoItem;

typedef struct _PangoGlyphInfo {
  unsigned glyph;
  struct {
    int width, x_offset, y_offset;
  } geometry;
  unsigned attr; /* bit 0: a cluster starts here; bit 1: the glyph has colours of its own */
} PangoGlyphInfo;

typedef struct _PangoGlyphString {
  int num_glyphs;
  PangoGlyphInfo *glyphs;
  int *log_clusters;
  int space;
} PangoGlyphString;

typedef struct _PangoGlyphItem {
  PangoItem *item;
  PangoGlyphString *glyphs;
  int y_offset, start_x_offset, end_x_offset;
} PangoGlyphItem;

#endif

PangoFontMap *pango_cairo_font_map_get_default(void);
PangoContext *pango_font_map_create_context(PangoFontMap *fontmap);
void pango_cairo_context_set_resolution(PangoContext *context, double dpi);
void pango_cairo_context_set_font_options(PangoContext *context,
                                          const cairo_font_options_t *options);
void pango_context_set_round_glyph_positions(PangoContext *context, int round_positions);

PangoFontDescription *pango_font_description_from_string(const char *text);
void pango_font_description_set_absolute_size(PangoFontDescription *description, double size);
void pango_font_description_free(PangoFontDescription *description);

unsigned pango_find_base_dir(const char *text, int length);

PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
const char *pango_layout_get_text(PangoLayout *layout);
void pango_layout_set_font_description(PangoLayout *layout,
                                       const PangoFontDescription *description);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_height(PangoLayout *layout, int height);
void pango_layout_set_wrap(PangoLayout *layout, unsigned wrap);
void pango_layout_set_ellipsize(PangoLayout *layout, unsigned ellipsize);
void pango_layout_set_alignment(PangoLayout *layout, unsigned alignment);
void pango_layout_set_spacing(PangoLayout *layout, int spacing);
int pango_layout_get_unknown_glyphs_count(PangoLayout *layout);

PangoLayoutIter *pango_layout_get_iter(PangoLayout *layout);
void pango_layout_iter_free(PangoLayoutIter *iter);
PangoGlyphItem *pango_layout_iter_get_run_readonly(PangoLayoutIter *iter);
int pango_layout_iter_next_run(PangoLayoutIter *iter);
int pango_layout_iter_get_baseline(PangoLayoutIter *iter);
void pango_layout_iter_get_run_extents(PangoLayoutIter *iter, PangoRectangle *ink,
                                       PangoRectangle *logical);
void pango_layout_iter_get_line_extents(PangoLayoutIter *iter, PangoRectangle *ink,
                                        PangoRectangle *logical);

cairo_scaled_font_t *pango_cairo_font_get_scaled_font(PangoCairoFont *font);
void pango_cairo_show_glyph_item(cairo_t *context, const char *text, PangoGlyphItem *item);

void g_object_unref(void *object);

#endif
