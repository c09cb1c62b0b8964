package dev.tailwater.store;

import java.io.IOException;

/** Takes entries that a tool reads; what it throws ends the reading. */
@FunctionalInterface
public interface EntryReader {
  /** One entry, which belongs to the reader from then on. */
  void entry(Entry entry) throws IOException;
}
