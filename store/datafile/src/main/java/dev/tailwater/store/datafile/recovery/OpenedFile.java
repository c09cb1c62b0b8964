package dev.tailwater.store.datafile.recovery;

import dev.tailwater.store.datafile.format.FileHeader;

/** A data file whose header was checked. */
record OpenedFile(FileHeader header, int fd, long sizeBytes) {}
