package dev.tailwater.store.datafile.format;

import java.io.IOException;

/** Receives the whole records of a file, in order, including marks. */
@FunctionalInterface
public interface RecordVisitor {
  /**
   * One record, whose checksums are right. Header and bytes are only lent.
   *
   * @param from where it begins in {@code bytes}
   * @param offsetBytes where it begins in the file
   */
  void record(RecordHeader header, RecordBytes bytes, int from, long offsetBytes)
      throws IOException;
}
