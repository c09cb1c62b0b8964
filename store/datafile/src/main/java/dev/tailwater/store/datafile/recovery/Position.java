package dev.tailwater.store.datafile.recovery;

/**
 * The place up to which a file is known.
 *
 * @param sequence number of the last record before it
 * @param sealed whether a seal is the last thing before it
 */
record Position(long offsetBytes, long sequence, boolean sealed) {}
