package dev.tailwater.store.datafile.format;

import org.jspecify.annotations.Nullable;

/** The contents of a block. */
enum BlockKind {
  END(0),
  SUMMARY(1),
  ENTRIES(2),
  FILES(3),
  PARTITION(4),
  TAG(5),
  TEXT(6),
  PAIRS(7),
  RECORDS(8),
  COVERED(9);

  private final int code;

  BlockKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static @Nullable BlockKind of(int code) {
    return switch (code) {
      case 0 -> END;
      case 1 -> SUMMARY;
      case 2 -> ENTRIES;
      case 3 -> FILES;
      case 4 -> PARTITION;
      case 5 -> TAG;
      case 6 -> TEXT;
      case 7 -> PAIRS;
      case 8 -> RECORDS;
      case 9 -> COVERED;
      default -> null;
    };
  }
}
