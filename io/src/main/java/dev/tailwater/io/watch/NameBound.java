package dev.tailwater.io.watch;

/**
 * A bound on the memory of names, with the cost of a name as its user estimates it.
 *
 * @param totalBytes the bound for all names together; a quarter of it is reserved for the roots in
 *     equal parts. An owner of directories below a root that is somebody else's leaves a quarter of
 *     what nobody else has taken
 * @param bytesEachFile the cost of a file, without its name
 * @param bytesEachNameByte the additional cost of each byte of its name
 * @param bytesEachDirectoryByte the additional cost of each byte of the path of its directory, for
 *     who keeps the paths of files. The watch itself keeps that path once
 * @param bytesEachWaitingFile the additional cost of a file that waits ({@link Backlog}), without
 *     its path, of which each byte counts; 0 if they cost nothing
 */
public record NameBound(
    long totalBytes,
    int bytesEachFile,
    int bytesEachNameByte,
    int bytesEachDirectoryByte,
    int bytesEachWaitingFile) {
  /** No bound. */
  public static final NameBound NONE = new NameBound(Long.MAX_VALUE / 4, 0, 0, 0, 0);

  /** Without its path: the node, its maps, its watch. */
  private static final int BYTES_EACH_DIRECTORY = 1_000;

  private static final int BYTES_EACH_BYTE_OF_A_DIRECTORY = 2;

  public NameBound {
    if (totalBytes < 0
        || bytesEachFile < 0
        || bytesEachNameByte < 0
        || bytesEachDirectoryByte < 0
        || bytesEachWaitingFile < 0) {
      throw new IllegalArgumentException("a bound on names cannot be negative");
    }
  }

  long costOfFile(int directoryBytes, int nameBytes) {
    return costOfFiles(1, directoryBytes, nameBytes);
  }

  /** Returns the cost of some files of one directory, whose names together are so long. */
  long costOfFiles(int files, int directoryBytes, long nameBytes) {
    return files * (bytesEachFile + (long) bytesEachDirectoryByte * directoryBytes)
        + bytesEachNameByte * nameBytes;
  }

  /** Returns the additional cost of files that wait, whose paths together are so long. */
  long costOfWaiting(int files, long pathBytes) {
    return (long) bytesEachWaitingFile * files + pathBytes;
  }

  long costOfDirectory(int pathBytes) {
    return this.equals(NONE)
        ? 0
        : BYTES_EACH_DIRECTORY + (long) BYTES_EACH_BYTE_OF_A_DIRECTORY * pathBytes;
  }
}
