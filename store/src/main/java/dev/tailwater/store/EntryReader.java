package dev.tailwater.store;

import java.io.IOException;

/** Receives the entries that a tool reads; an exception ends the reading. */
@FunctionalInterface
public interface EntryReader {
  /** Receives an entry, which belongs to the reader from then on. */
  void entry(Entry entry) throws IOException;
}
