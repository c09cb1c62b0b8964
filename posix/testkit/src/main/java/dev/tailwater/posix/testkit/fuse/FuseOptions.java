package dev.tailwater.posix.testkit.fuse;

import java.util.List;

/**
 * The properties of a FUSE mount. Immutable; begin with {@link #direct()} or {@link #cached()}.
 *
 * @param maxWriteBytes the largest WRITE request, and with direct I/O the largest READ; a multiple
 *     of the page size up to 1 MiB
 * @param directIo whether every read(2) and write(2) bypasses the page cache and goes to the server
 * @param writeDelayMicros how long the server waits before it answers a WRITE
 * @param readDelayMicros how long the server waits before it answers a READ
 * @param renameFlags whether a rename may have the flag RENAME_NOREPLACE, which NFS does not
 *     support
 */
public record FuseOptions(
    int maxWriteBytes,
    boolean directIo,
    long writeDelayMicros,
    long readDelayMicros,
    boolean renameFlags) {
  /** 128 KiB, as on an NFS mount with {@code wsize=131072}. */
  public static final int DEFAULT_MAX_WRITE_BYTES = 128 * 1024;

  private static final int SMALLEST_PAGE_BYTES = 4096;
  private static final int LARGEST_WRITE_BYTES = 1024 * 1024;

  public FuseOptions {
    if (maxWriteBytes < SMALLEST_PAGE_BYTES
        || maxWriteBytes > LARGEST_WRITE_BYTES
        || maxWriteBytes % SMALLEST_PAGE_BYTES != 0) {
      throw new IllegalArgumentException("max_write of " + maxWriteBytes + " bytes");
    }
    if (writeDelayMicros < 0 || readDelayMicros < 0) {
      throw new IllegalArgumentException("a delay below 0");
    }
  }

  /** Returns options with direct I/O and no delays. */
  public static FuseOptions direct() {
    return new FuseOptions(DEFAULT_MAX_WRITE_BYTES, true, 0, 0, true);
  }

  /**
   * Returns options with the page cache and no delays; each open(2) drops the cache of its file.
   */
  public static FuseOptions cached() {
    return new FuseOptions(DEFAULT_MAX_WRITE_BYTES, false, 0, 0, true);
  }

  public FuseOptions withMaxWriteBytes(int bytes) {
    return new FuseOptions(bytes, directIo, writeDelayMicros, readDelayMicros, renameFlags);
  }

  public FuseOptions withWriteDelayMicros(long micros) {
    return new FuseOptions(maxWriteBytes, directIo, micros, readDelayMicros, renameFlags);
  }

  public FuseOptions withReadDelayMicros(long micros) {
    return new FuseOptions(maxWriteBytes, directIo, writeDelayMicros, micros, renameFlags);
  }

  /** Returns options with which a rename with any flag fails with EINVAL, as on NFS. */
  public FuseOptions withoutRenameFlags() {
    return new FuseOptions(maxWriteBytes, directIo, writeDelayMicros, readDelayMicros, false);
  }

  /** Returns these options as arguments of the server's command line. */
  List<String> toArguments() {
    return List.of(
        String.valueOf(maxWriteBytes),
        String.valueOf(directIo),
        String.valueOf(writeDelayMicros),
        String.valueOf(readDelayMicros),
        String.valueOf(renameFlags));
  }

  /** Parses arguments of the server's command line from this index on. */
  static FuseOptions fromArguments(List<String> arguments, int from) {
    return new FuseOptions(
        Integer.parseInt(arguments.get(from)),
        Boolean.parseBoolean(arguments.get(from + 1)),
        Long.parseLong(arguments.get(from + 2)),
        Long.parseLong(arguments.get(from + 3)),
        Boolean.parseBoolean(arguments.get(from + 4)));
  }
}
