package dev.tailwater.posix.binding;

import dev.tailwater.posix.value.EntryType;

/** Conversions from the kernel's numbers for file types. */
public final class EntryTypes {
  private static final int FORMAT_SHIFT = 12;

  private EntryTypes() {}

  /** Returns the type for the S_IFMT bits of a mode. */
  static EntryType ofMode(int mode) {
    // The DT_ values of readdir(3) are defined as these bits, shifted down.
    return ofDirent(mode >> FORMAT_SHIFT & 0xF);
  }

  /** Returns the type for the d_type of a directory entry. */
  public static EntryType ofDirent(int type) {
    return switch (type) {
      case 1 -> EntryType.FIFO;
      case 2 -> EntryType.CHARACTER_DEVICE;
      case 4 -> EntryType.DIRECTORY;
      case 6 -> EntryType.BLOCK_DEVICE;
      case 8 -> EntryType.REGULAR;
      case 10 -> EntryType.SYMBOLIC_LINK;
      case 12 -> EntryType.SOCKET;
      default -> EntryType.UNKNOWN;
    };
  }
}
