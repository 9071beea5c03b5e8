/* Baseline JPEG (ITU-T T.81) with optimal Huffman tables (annex K.2): the blocks are requantised and coded
 * twice, first to count, so that nothing but the file itself is kept in memory. */
#include <stdlib.h>
#include <string.h>

#include "clones.h"
#include "codes.h"
#include "include/CCoefficients.h"

/* T.81, figure A.6: natural order by zigzag order, and vice versa. */
static const uint8_t natural[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
static const uint8_t zigzag[64] = {
    0,  1,  5,  6,  14, 15, 27, 28, 2,  4,  7,  13, 16, 26, 29, 42, 3,  8,  12, 17, 25, 30,
    41, 43, 9,  11, 18, 24, 31, 40, 44, 53, 10, 19, 23, 32, 39, 45, 52, 54, 20, 22, 33, 38,
    46, 51, 55, 60, 21, 34, 37, 47, 50, 56, 59, 61, 35, 36, 48, 49, 57, 58, 62, 63};

enum { end_of_block = 0x00, sixteen_zeros = 0xF0 };

/* The most bytes that a block takes: 64 codes of 16 bits with 11 more, a stuffed zero after each byte. */
enum { max_block_bytes = 2 * 64 * 27 / 8 + 8 };

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  uint64_t bits;
  int free_bits;
} Output;

typedef struct {
  const LeaflogComponent *components;
  int count;
  int width;
  int height;
  int max_across;
  int max_down;
  /* DC and AC for the first component, DC and AC for the others. */
  Table tables[4];
  Output output;
} Writer;

LEAFLOG_INLINE int bit_count(unsigned value) { return value ? 32 - __builtin_clz(value) : 0; }

LEAFLOG_INLINE void emit(Output *output, uint32_t value, int count) {
  output->free_bits -= count;
  if (output->free_bits >= 0) {
    output->bits |= (uint64_t)value << output->free_bits;
    return;
  }
  output->bits |= (uint64_t)value >> -output->free_bits;
  uint64_t full = output->bits;
  uint8_t *to = output->bytes + output->count;
  /* A byte of 255 has its highest bit set, and loses it when one is added. */
  if (full & 0x8080808080808080u & ~(full + 0x0101010101010101u)) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      uint8_t byte = (uint8_t)(full >> shift);
      *to++ = byte;
      if (byte == 0xFF)
        *to++ = 0;
    }
  } else {
    for (int shift = 56; shift >= 0; shift -= 8)
      *to++ = (uint8_t)(full >> shift);
  }
  output->count = (size_t)(to - output->bytes);
  output->free_bits += 64;
  output->bits = output->free_bits < 64 ? (uint64_t)value << output->free_bits : 0;
}

/* Counts or writes a symbol and the bits after it. */
LEAFLOG_INLINE void put(Writer *writer, Table *table, int counts, int symbol, int value, int size) {
  if (counts) {
    table->counts[symbol]++;
    return;
  }
  /* T.81, F.1.2.1: negative values are one less, and only their low bits are written. */
  uint32_t low = (uint32_t)(value + (value >> 31)) & ((1u << size) - 1);
  emit(&writer->output, (uint32_t)table->codes[symbol] << size | low, table->lengths[symbol] + size);
}

LEAFLOG_INLINE void code_block(Writer *writer, const int16_t *block, int *last_dc, Table *tables,
                               int counts) {
  int difference = block[0] - *last_dc;
  *last_dc = block[0];
  int size = bit_count((unsigned)abs(difference));
  put(writer, &tables[0], counts, size, difference, size);
  /* The positions of non-zero coefficients in zigzag order; tested four at a time, as most are zero. */
  uint64_t places = 0;
  for (int quarter = 0; quarter < 16; quarter++) {
    uint64_t four;
    memcpy(&four, block + 4 * quarter, 8);
    if (four == 0)
      continue;
    for (int i = 4 * quarter; i < 4 * quarter + 4; i++)
      places |= (uint64_t)(block[i] != 0) << zigzag[i];
  }
  places &= ~(uint64_t)1;
  int last = 0;
  while (places) {
    int at = __builtin_ctzll(places);
    places &= places - 1;
    int run = at - last - 1;
    last = at;
    for (; run > 15; run -= 16)
      put(writer, &tables[1], counts, sixteen_zeros, 0, 0);
    int value = block[natural[at]];
    size = bit_count((unsigned)abs(value));
    put(writer, &tables[1], counts, run << 4 | size, value, size);
  }
  if (last < 63)
    put(writer, &tables[1], counts, end_of_block, 0, 0);
}

static int reserve(Output *output, size_t more) {
  if (output->capacity - output->count >= more)
    return 1;
  size_t capacity = output->capacity * 3 / 2 + more;
  uint8_t *bytes = realloc(output->bytes, capacity);
  if (!bytes)
    return 0;
  output->bytes = bytes;
  output->capacity = capacity;
  return 1;
}

/* Counts or writes the scan. Returns 0 when out of memory. */
LEAFLOG_INLINE int code_scan(Writer *writer, int counts) {
  int single = writer->count == 1;
  int across = single ? 1 : writer->max_across, down = single ? 1 : writer->max_down;
  int columns = (writer->width + 8 * across - 1) / (8 * across);
  int rows = (writer->height + 8 * down - 1) / (8 * down);
  int last_dc[3] = {0};
  size_t line_blocks = 0;
  for (int c = 0; c < writer->count; c++)
    line_blocks += (size_t)columns * (single ? 1 : writer->components[c].across * writer->components[c].down);
  LeaflogBlock *line = malloc(line_blocks * sizeof(LeaflogBlock));
  if (!line)
    return 0;
  for (int row = 0; row < rows; row++) {
    if (!counts && !reserve(&writer->output, line_blocks * max_block_bytes + 16)) {
      free(line);
      return 0;
    }
    /* The blocks of a row of units, component by component, line by line. */
    LeaflogBlock *lines[3][2], *next = line;
    for (int c = 0; c < writer->count; c++) {
      const LeaflogComponent *component = &writer->components[c];
      int h = single ? 1 : component->across, v = single ? 1 : component->down;
      for (int i = 0; i < v; i++) {
        int y = row * v + i;
        lines[c][i] = next;
        if (y < component->height_in_blocks)
          leaflog_requantize(component->requantizer, component->rows[y], next,
                             (size_t)component->width_in_blocks);
        next += (size_t)columns * h;
      }
    }
    for (int column = 0; column < columns; column++)
      for (int c = 0; c < writer->count; c++) {
        const LeaflogComponent *component = &writer->components[c];
        int h = single ? 1 : component->across, v = single ? 1 : component->down;
        Table *tables = &writer->tables[c ? 2 : 0];
        for (int i = 0; i < v; i++)
          for (int j = 0; j < h; j++) {
            int x = column * h + j;
            if (x < component->width_in_blocks && row * v + i < component->height_in_blocks) {
              code_block(writer, lines[c][i][x], &last_dc[c], tables, counts);
            } else {
              /* Beyond the edges: an empty block. */
              put(writer, &tables[0], counts, 0, 0, 0);
              put(writer, &tables[1], counts, end_of_block, 0, 0);
            }
          }
      }
  }
  free(line);
  return 1;
}

LEAFLOG_CLONES static int count_scan(Writer *writer) { return code_scan(writer, 1); }
LEAFLOG_CLONES static int write_scan(Writer *writer) { return code_scan(writer, 0); }

static void put_byte(Output *output, int value) { output->bytes[output->count++] = (uint8_t)value; }

static void put_word(Output *output, int value) {
  put_byte(output, value >> 8);
  put_byte(output, value);
}

static void put_bytes(Output *output, const void *bytes, size_t count) {
  memcpy(output->bytes + output->count, bytes, count);
  output->count += count;
}

/* Writes everything before the scan, for which room has been reserved. */
static void put_header(Writer *writer, const uint8_t *segments, size_t segments_count) {
  Output *output = &writer->output;
  static const uint8_t start[] = {0xFF, 0xD8, 0xFF, 0xE0, 0, 16,  'J', 'F', 'I', 'F',
                                  0,    1,    1,    0,    0, 1,   0,   1,   0,   0};
  put_bytes(output, start, sizeof start);
  for (size_t at = 0; at + 3 <= segments_count;) {
    size_t length = 1 + ((size_t)segments[at + 1] << 8 | segments[at + 2]);
    if (length < 3 || length > segments_count - at)
      break;
    put_byte(output, 0xFF);
    put_bytes(output, segments + at, length);
    at += length;
  }
  int table_count = writer->count > 1 ? 2 : 1;
  for (int t = 0; t < table_count; t++) {
    put_word(output, 0xFFDB);
    put_word(output, 67);
    put_byte(output, t);
    for (int i = 0; i < 64; i++)
      put_byte(output, writer->components[t].steps[natural[i]]);
  }
  put_word(output, 0xFFC0);
  put_word(output, 8 + 3 * writer->count);
  put_byte(output, 8);
  put_word(output, writer->height);
  put_word(output, writer->width);
  put_byte(output, writer->count);
  for (int c = 0; c < writer->count; c++) {
    put_byte(output, c + 1);
    put_byte(output, writer->count == 1 ? 0x11 : writer->components[c].across << 4 | writer->components[c].down);
    put_byte(output, c > 0);
  }
  for (int t = 0; t < 2 * table_count; t++) {
    Table *table = &writer->tables[t];
    int symbol_count = 0;
    for (int length = 1; length <= 16; length++)
      symbol_count += table->counts_by_length[length];
    put_word(output, 0xFFC4);
    put_word(output, 19 + symbol_count);
    put_byte(output, (t % 2) << 4 | t / 2);
    put_bytes(output, table->counts_by_length + 1, 16);
    put_bytes(output, table->symbols, (size_t)symbol_count);
  }
  put_word(output, 0xFFDA);
  put_word(output, 6 + 2 * writer->count);
  put_byte(output, writer->count);
  for (int c = 0; c < writer->count; c++) {
    put_byte(output, c + 1);
    put_byte(output, c ? 0x11 : 0);
  }
  put_bytes(output, (const uint8_t[]){0, 63, 0}, 3);
}

static int write_file(Writer *writer, const uint8_t *segments, size_t segments_count, size_t max_count) {
  if (!count_scan(writer))
    return 0;
  uint64_t bits = 0;
  for (int t = 0; t < (writer->count > 1 ? 4 : 2); t++)
    bits += leaflog_make_codes(&writer->tables[t]);
  if (bits / 8 + segments_count > max_count)
    return 0;
  Output *output = &writer->output;
  /* The tables take less than 2048 bytes, a segment has at least three bytes besides its marker's first, and
  * stuffed bytes are rare. */
  if (!reserve(output, (size_t)(bits / 8 + bits / 8 / 64) + segments_count * 4 / 3 + 2048))
    return 0;
  put_header(writer, segments, segments_count);
  output->free_bits = 64;
  if (!write_scan(writer) || !reserve(output, 32))
    return 0;
  /* The rest, padded with ones (T.81, F.1.2.3). */
  int rest = 64 - output->free_bits;
  uint64_t last = output->bits | (output->free_bits < 64 ? (((uint64_t)1 << output->free_bits) - 1) : 0);
  for (int i = 0; i < (rest + 7) / 8; i++) {
    int byte = (int)(last >> (56 - 8 * i)) & 0xFF;
    put_byte(output, byte);
    if (byte == 0xFF)
      put_byte(output, 0);
  }
  put_word(output, 0xFFD9);
  return output->count <= max_count;
}

uint8_t *leaflog_write(const LeaflogComponent *components, int count, int width, int height,
                       const uint8_t *segments, size_t segments_count, size_t max_count,
                       size_t *result_count) {
  Writer *writer = calloc(1, sizeof *writer);
  if (!writer)
    return NULL;
  writer->components = components;
  writer->count = count;
  writer->width = width;
  writer->height = height;
  writer->max_across = components[0].across;
  writer->max_down = components[0].down;
  uint8_t *result = NULL;
  if (write_file(writer, segments, segments_count, max_count)) {
    result = realloc(writer->output.bytes, writer->output.count);
    *result_count = writer->output.count;
  } else {
    free(writer->output.bytes);
  }
  free(writer);
  return result;
}
