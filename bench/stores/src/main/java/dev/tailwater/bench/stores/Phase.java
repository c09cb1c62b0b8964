package dev.tailwater.bench.stores;

/** A part of the comparison. */
enum Phase {
  /** Loading, opening after a kill and after a close, and space on disk. */
  LOAD,
  /** Gets of what is in the page cache, and memory. */
  HOT,
  /** Gets with the page cache empty, beside fio. */
  COLD,
  /** Durable puts, beside plain appends. */
  PUT,
  /** Gets and puts, half and half. */
  MIX
}
