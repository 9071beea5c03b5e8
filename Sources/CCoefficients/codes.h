/* Huffman codes made for the contents of a file (ITU-T T.81, annex K.2). */
#ifndef LEAFLOG_CODES_H
#define LEAFLOG_CODES_H

#include <stdint.h>

typedef struct {
  uint32_t counts[257];
  uint8_t lengths[257];
  uint16_t codes[256];
  uint8_t symbols[256];
  uint8_t counts_by_length[17];
} Table;

/* Makes optimal codes of at most 16 bits, none of them all ones (T.81, K.2; that code is taken by the
* symbol 256). Returns the number of bits that all symbols take, with the bits that follow them. */
uint64_t leaflog_make_codes(Table *table);

#endif
