package dev.tailwater.store.datafile.format;

/**
 * The value of a mark.
 *
 * @param durableBytes when it was written, the file was on disk up to this offset
 * @param sealed nothing follows but, in the last file, what was written when the store was opened
 *     again
 */
public record Mark(long durableBytes, boolean sealed) {
  static final int VALUE_BYTES = 16;
}
