package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.files.StoreDirectory;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The hint file of the data file that is being written, under its own name from the beginning: its
 * contents are useful as far as they go. The file is created when a block is full. Used by one
 * thread at a time.
 */
public final class HintFile implements AutoCloseable {
  private final StoreDirectory directory;
  private final FileHeader data;
  private final RandomGenerator random;
  private final HintWriter writer;
  private int fd = -1;
  private @Nullable BlockWriter blocks;

  /**
   * Creates the hint of a data file without records.
   *
   * @param random makes the salt
   * @param blockBytes as of {@link HintWriter}
   */
  public HintFile(
      StoreDirectory directory, FileHeader data, RandomGenerator random, int blockBytes) {
    this.directory = directory;
    this.data = data;
    this.random = random;
    this.writer = new HintWriter(data, blockBytes, this::open);
  }

  private BlockWriter open() throws ErrnoException {
    fd = directory.create(data.name().hintPath());
    FileHeader header =
        new FileHeader(FileHeader.FileType.HINT, data.name(), data.store(), random.nextLong());
    BlockWriter opened = new BlockWriter(directory.calls(), fd, header);
    blocks = opened;
    return opened;
  }

  /** Takes the records. */
  public HintWriter writer() {
    return writer;
  }

  /** Makes durable what was written, and the file's name. May run while others use the store. */
  public void sync() throws ErrnoException {
    if (fd >= 0) {
      directory.calls().fsync(fd);
      directory.sync();
    }
  }

  /** Closes the file; what was added and not written is lost. */
  @Override
  public void close() throws ErrnoException {
    BlockWriter opened = blocks;
    if (opened != null) {
      blocks = null;
      opened.close();
    }
    if (fd >= 0) {
      int closing = fd;
      fd = -1;
      directory.calls().close(closing);
    }
  }
}
