/* SwiftPM has no target without a source file. The functions are in include/shim.h. */
