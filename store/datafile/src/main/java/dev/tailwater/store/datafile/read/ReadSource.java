package dev.tailwater.store.datafile.read;

import dev.tailwater.io.async.RandomFile;
import dev.tailwater.store.datafile.file.DataFile;

/**
 * What to read to get a range of a data file.
 *
 * @param file the data file
 * @param from what it is read from, as is {@code fd}
 * @param startBytes offset in the file, aligned if it must be
 * @param lengthBytes how much to read, aligned if it must be; the file may end before
 * @param leadBytes so many bytes of what is read lie in front of the range
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
