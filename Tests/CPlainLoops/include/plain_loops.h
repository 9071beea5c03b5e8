/* The loops of CCoefficients, compiled again for any processor, beside those that this processor gets. */
#ifndef PLAIN_LOOPS_H
#define PLAIN_LOOPS_H

/* The first loop that gives other bits than on any processor; NULL when there is none. */
const char *leaflog_differing_loop(void);

#endif
