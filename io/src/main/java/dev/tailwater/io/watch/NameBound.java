package dev.tailwater.io.watch;

/**
 * A bound on the memory of names, with the cost of a name as its user estimates it.
 *
 * @param totalBytes the bound for all names together; a quarter of it is reserved for the roots in
 *     equal parts. An owner of directories below a root that is somebody else's leaves a quarter of
 *     what nobody else has taken
 * @param bytesEachFile the cost of a file, without its path
 * @param bytesEachPathByte the additional cost of each byte of its path
 * @param bytesEachWaitingFile the additional cost of a file that waits ({@link Backlog})
 */
public record NameBound(
    long totalBytes, int bytesEachFile, int bytesEachPathByte, int bytesEachWaitingFile) {
  /** No bound. */
  public static final NameBound NONE = new NameBound(Long.MAX_VALUE / 4, 0, 0, 0);

  /** Without its path: the node, its maps, its watch. */
  private static final int BYTES_EACH_DIRECTORY = 1_000;

  private static final int BYTES_EACH_BYTE_OF_A_DIRECTORY = 2;

  public NameBound {
    if (totalBytes < 0 || bytesEachFile < 0 || bytesEachPathByte < 0 || bytesEachWaitingFile < 0) {
      throw new IllegalArgumentException("a bound on names cannot be negative");
    }
  }

  long costOfFile(int pathBytes) {
    return bytesEachFile + (long) bytesEachPathByte * pathBytes;
  }

  /** Returns the cost of the files of one directory, whose path is as long with its slash. */
  long costOfFiles(int files, int directoryBytes, long nameBytes) {
    return (long) files * costOfFile(directoryBytes) + bytesEachPathByte * nameBytes;
  }

  long costOfDirectory(int pathBytes) {
    return this.equals(NONE)
        ? 0
        : BYTES_EACH_DIRECTORY + (long) BYTES_EACH_BYTE_OF_A_DIRECTORY * pathBytes;
  }
}
