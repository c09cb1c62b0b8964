package dev.tailwater.io.watch;

/**
 * How much memory names may take, by what its user knows of their cost.
 *
 * @param totalBytes of all names together; each root is sure of an equal part of a quarter
 * @param bytesEachFile what a file costs, whatever its name
 * @param bytesEachPathByte what each byte of its path adds
 */
public record NameBound(long totalBytes, int bytesEachFile, int bytesEachPathByte) {
  /** As many as there are. */
  public static final NameBound NONE = new NameBound(Long.MAX_VALUE / 4, 0, 0);

  /** Without its path: the node, its maps, its watch. */
  private static final int BYTES_EACH_DIRECTORY = 1_000;

  private static final int BYTES_EACH_BYTE_OF_A_DIRECTORY = 2;

  public NameBound {
    if (totalBytes < 0 || bytesEachFile < 0 || bytesEachPathByte < 0) {
      throw new IllegalArgumentException("a bound on names cannot be negative");
    }
  }

  long costOfFile(int pathBytes) {
    return bytesEachFile + (long) bytesEachPathByte * pathBytes;
  }

  long costOfDirectory(int pathBytes) {
    return this.equals(NONE)
        ? 0
        : BYTES_EACH_DIRECTORY + (long) BYTES_EACH_BYTE_OF_A_DIRECTORY * pathBytes;
  }
}
