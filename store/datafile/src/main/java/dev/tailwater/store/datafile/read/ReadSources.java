package dev.tailwater.store.datafile.read;

import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DirectFile;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the descriptor that a range of a data file is read from. Only synced ranges are
 * read past the page cache: the kernel would write dirty pages to the disk before each such read.
 * Thread-safe.
 */
public final class ReadSources {
  private final boolean wantsDirect;
  private volatile Optional<String> notDirect = Optional.empty();

  public ReadSources(boolean wantsDirect) {
    this.wantsDirect = wantsDirect;
  }

  /** Returns why not everything is read past the page cache. */
  Optional<String> notDirect() {
    return notDirect;
  }

  private static boolean isSynced(DataFile file, long endBytes) {
    long synced = file.syncedBytes();
    return endBytes <= synced || synced == file.writtenBytes();
  }

  /**
   * Returns the read that brings a range.
   *
   * @param lengthBytes all of it is written to the file
   */
  ReadSource of(DataFile file, long offsetBytes, int lengthBytes) throws IOException {
    DirectFile direct = wantsDirect ? direct(file) : null;
    if (direct != null) {
      long block = direct.blockBytes();
      long start = offsetBytes / block * block;
      long end = (offsetBytes + lengthBytes + block - 1) / block * block;
      if (isSynced(file, end)) {
        return new ReadSource(
            file,
            direct.file(),
            direct.fd(),
            start,
            (int) (end - start),
            (int) (offsetBytes - start),
            true);
      }
    }
    return new ReadSource(file, file.randomFile(), file.fd(), offsetBytes, lengthBytes, 0, false);
  }

  boolean wantsDirect() {
    return wantsDirect;
  }

  private @Nullable DirectFile direct(DataFile file) {
    try {
      return file.direct();
    } catch (IOException refused) {
      notDirect = Optional.of(String.valueOf(refused.getMessage()));
      return null; // tried only once: from now on the file returns null without an exception
    }
  }
}
