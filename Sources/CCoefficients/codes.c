/* Codes from counts: the tree is built by figures K.1 and K.2, flattened by K.3. */
#include "codes.h"

uint64_t leaflog_make_codes(Table *table) {
  uint64_t counts[257];
  int sizes[257] = {0}, others[257], lengths[257] = {0};
  for (int i = 0; i < 257; i++) {
    counts[i] = i < 256 ? table->counts[i] : 1;
    others[i] = -1;
  }
  for (;;) {
    /* The two least frequent; of equals, the higher symbol. */
    int first = -1, second = -1;
    for (int i = 0; i < 257; i++)
      if (counts[i] && (first < 0 || counts[i] <= counts[first]))
        first = i;
    for (int i = 0; i < 257; i++)
      if (counts[i] && i != first && (second < 0 || counts[i] <= counts[second]))
        second = i;
    if (second < 0)
      break;
    counts[first] += counts[second];
    counts[second] = 0;
    sizes[first]++;
    while (others[first] >= 0)
      sizes[first = others[first]]++;
    others[first] = second;
    sizes[second]++;
    while (others[second] >= 0)
      sizes[second = others[second]]++;
  }
  for (int i = 0; i < 257; i++)
    if (sizes[i])
      lengths[sizes[i]]++;
  /* Figure K.3: shortens codes that are too long, two at a time. */
  for (int length = 256; length > 16; length--)
    while (lengths[length] > 0) {
      int shorter = length - 2;
      while (lengths[shorter] == 0)
        shorter--;
      lengths[length] -= 2;
      lengths[length - 1]++;
      lengths[shorter + 1] += 2;
      lengths[shorter]--;
    }
  int longest = 16;
  while (longest > 0 && lengths[longest] == 0)
    longest--;
  if (longest > 0)
    lengths[longest]--;
  int symbol_count = 0;
  for (int size = 1; size < 257; size++)
    for (int i = 0; i < 256; i++)
      if (sizes[i] == size)
        table->symbols[symbol_count++] = (uint8_t)i;
  uint64_t bits = 0;
  uint16_t code = 0;
  int at = 0;
  for (int length = 1; length <= 16; length++) {
    table->counts_by_length[length] = (uint8_t)lengths[length];
    for (int i = 0; i < lengths[length]; i++) {
      int symbol = table->symbols[at++];
      table->codes[symbol] = code++;
      table->lengths[symbol] = (uint8_t)length;
      bits += (uint64_t)table->counts[symbol] * (uint64_t)(length + (symbol & 15));
    }
    code = (uint16_t)(code << 1);
  }
  return bits;
}
