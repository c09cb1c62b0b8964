package dev.tailwater.store.datafile.write;

/** A key to be changed, and how. */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
record KeyChange(byte[] key, Decider decider) {}
