package dev.tailwater.store.datafile.read;

import dev.tailwater.io.async.RandomFile;
import dev.tailwater.store.datafile.file.DataFile;

/**
 * A read that brings a range of a data file.
 *
 * @param file the data file
 * @param from what to read from, open as {@code fd}
 * @param startBytes offset in the file, aligned if required
 * @param lengthBytes length of the read, aligned if required; the file may end before
 * @param leadBytes bytes of the read in front of the range
 * @param direct whether it goes past the page cache
 */
record ReadSource(
    DataFile file,
    RandomFile from,
    int fd,
    long startBytes,
    int lengthBytes,
    int leadBytes,
    boolean direct) {}
