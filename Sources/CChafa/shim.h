/* Declarations of the parts of Chafa that pictures on a terminal use. Its own headers are in folders that only its .pc file
 * names, and that makes the linker add Chafa and GLib to the program, which CLazyLibraries loads. The types and functions
 * are those of Chafa 1.12 and GLib 2.74 and part of their stable ABIs; DeclarationTests has the compiler compare them with
 * the headers. */
#ifndef CCHAFA_SHIM_H
#define CCHAFA_SHIM_H

typedef struct ChafaCanvas ChafaCanvas;
typedef struct ChafaCanvasConfig ChafaCanvasConfig;
typedef struct ChafaSymbolMap ChafaSymbolMap;
typedef struct ChafaTermDb ChafaTermDb;
typedef struct ChafaTermInfo ChafaTermInfo;

#ifdef LEAFLOG_COMPARES_CHAFA

typedef GString ChafaText;

#else /* values cannot be declared twice; the test compares them */

/* GLib's GString: Swift accepts no structure of that name beside the one of CVips. */
typedef struct ChafaText ChafaText;

typedef enum {
  CHAFA_CANVAS_MODE_TRUECOLOR = 0,
  CHAFA_CANVAS_MODE_INDEXED_240 = 2,
  CHAFA_CANVAS_MODE_INDEXED_16 = 3,
  CHAFA_CANVAS_MODE_FGBG = 5,
} ChafaCanvasMode;

typedef enum { CHAFA_DITHER_MODE_ORDERED = 1 } ChafaDitherMode;

typedef enum { CHAFA_OPTIMIZATION_REUSE_ATTRIBUTES = 1 } ChafaOptimizations;

typedef enum {
  CHAFA_PIXEL_MODE_SYMBOLS = 0,
  CHAFA_PIXEL_MODE_SIXELS = 1,
  CHAFA_PIXEL_MODE_KITTY = 2,
} ChafaPixelMode;

typedef enum { CHAFA_PIXEL_RGB8 = 8 } ChafaPixelType;

typedef enum {
  CHAFA_SYMBOL_TAG_SPACE = 1,
  CHAFA_SYMBOL_TAG_SOLID = 2,
  CHAFA_SYMBOL_TAG_VHALF = 512,
} ChafaSymbolTags;

typedef enum {
  CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT = 33,
  CHAFA_TERM_SEQ_SET_COLOR_FGBG_256 = 36,
  CHAFA_TERM_SEQ_SET_COLOR_FGBG_16 = 39,
  CHAFA_TERM_SEQ_BEGIN_SIXELS = 40,
  CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1 = 43,
} ChafaTermSeq;

#endif

ChafaTermDb *chafa_term_db_get_default(void);
ChafaTermInfo *chafa_term_db_detect(ChafaTermDb *database, char **environment);
ChafaTermInfo *chafa_term_db_get_fallback_info(ChafaTermDb *database);
int chafa_term_info_have_seq(const ChafaTermInfo *terminal, ChafaTermSeq sequence);
void chafa_term_info_supplement(ChafaTermInfo *terminal, ChafaTermInfo *source);
void chafa_term_info_unref(ChafaTermInfo *terminal);

ChafaSymbolMap *chafa_symbol_map_new(void);
void chafa_symbol_map_add_by_tags(ChafaSymbolMap *symbols, ChafaSymbolTags tags);
void chafa_symbol_map_unref(ChafaSymbolMap *symbols);

ChafaCanvasConfig *chafa_canvas_config_new(void);
void chafa_canvas_config_set_geometry(ChafaCanvasConfig *config, int width, int height);
void chafa_canvas_config_set_cell_geometry(ChafaCanvasConfig *config, int width, int height);
void chafa_canvas_config_set_canvas_mode(ChafaCanvasConfig *config, ChafaCanvasMode mode);
void chafa_canvas_config_set_pixel_mode(ChafaCanvasConfig *config, ChafaPixelMode mode);
void chafa_canvas_config_set_dither_mode(ChafaCanvasConfig *config, ChafaDitherMode mode);
void chafa_canvas_config_set_dither_grain_size(ChafaCanvasConfig *config, int width, int height);
void chafa_canvas_config_set_optimizations(ChafaCanvasConfig *config, ChafaOptimizations optimizations);
void chafa_canvas_config_set_symbol_map(ChafaCanvasConfig *config, const ChafaSymbolMap *symbols);
void chafa_canvas_config_unref(ChafaCanvasConfig *config);

ChafaCanvas *chafa_canvas_new(const ChafaCanvasConfig *config);
void chafa_canvas_draw_all_pixels(ChafaCanvas *canvas, ChafaPixelType type, const unsigned char *pixels, int width,
                                  int height, int row_stride);
ChafaText *chafa_canvas_print(ChafaCanvas *canvas, ChafaTermInfo *terminal);
void chafa_canvas_unref(ChafaCanvas *canvas);

char **g_environ_setenv(char **environment, const char *name, const char *value, int overwrites);
void g_strfreev(char **texts);
/* Frees the text but for its characters, which it returns. A macro of this name in newer headers chooses functions. */
char *(g_string_free)(ChafaText *text, int frees_characters);
void g_free(void *characters);

#endif
