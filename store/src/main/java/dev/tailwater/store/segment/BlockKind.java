package dev.tailwater.store.segment;

/** What a block holds; its ordinal stands in the file, so new ones go behind the last. */
enum BlockKind {
  END,
  SUMMARY,
  ENTRIES,
  FILES,
  PARTITION
}
