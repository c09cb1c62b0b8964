package dev.tailwater.store.datafile.read;

/**
 * What every call on an open store that reads goes through.
 *
 * @param gate keeps memory and files from being closed while somebody is in it
 * @param buffers lends a buffer to each read
 */
public record ReadAccess(
    KeyLookup lookup, StoreReader reader, ReaderGate gate, ReadBufferPool buffers) {}
