internal import CVips

/// Settings of the C library's allocator for a process whose work is importing photos.
package enum ProcessMemory {
  /// Lets the allocator keep the tens of megabytes that one photo gave back for the next, instead
  /// of unmapping them and having the kernel clear fresh pages each time, and keeps all threads in
  /// one arena, so that what one frees another can use.
  ///
  /// Measured on `import-limit.c`, two jobs: a fifth less time, a third less memory. It is for
  /// programs of our own; a library has no business with its host's allocator.
  package static func keepLargeBlocks() {
    leaflog_keep_large_blocks()
  }
}
