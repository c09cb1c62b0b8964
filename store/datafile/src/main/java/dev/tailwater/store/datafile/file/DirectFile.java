package dev.tailwater.store.datafile.file;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.async.RandomFile;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.DirectAlignment;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;

/** A second descriptor of a data file, for reads past the page cache. */
public final class DirectFile implements AutoCloseable {
  /** Alignment that the kernel always accepts, where it does not tell. */
  public static final int MAX_BLOCK_BYTES = 4096;

  private final Descriptor descriptor;
  private final RandomFile file;
  private final int blockBytes;

  private DirectFile(Descriptor descriptor, RandomFile file, int blockBytes) {
    this.descriptor = descriptor;
    this.file = file;
    this.blockBytes = blockBytes;
  }

  /** Opens it; fails where the file system cannot, or when the file has been deleted. */
  static DirectFile open(StoreDirectory directory, FileHeader header) throws IOException {
    int fd = directory.openDirect(header.name().path());
    Descriptor descriptor =
        Descriptor.adopt(directory.calls(), fd, directory.pathOf(header.name().path()));
    try {
      DirectAlignment alignment =
          directory
              .calls()
              .directAlignment(fd)
              .orElse(new DirectAlignment(MAX_BLOCK_BYTES, MAX_BLOCK_BYTES));
      int blockBytes = Math.max(alignment.memoryBytes(), alignment.offsetBytes());
      if (alignment.offsetBytes() == 0 || blockBytes > MAX_BLOCK_BYTES) {
        throw ErrnoException.of(
            "open for direct reads", descriptor.path().toString(), Errno.EINVAL);
      }
      return new DirectFile(descriptor, RandomFile.of(descriptor), blockBytes);
    } catch (IOException | RuntimeException | Error failed) {
      descriptor.close();
      throw failed;
    }
  }

  public RandomFile file() {
    return file;
  }

  public int fd() {
    return descriptor.fd();
  }

  /** Memory, offset and length are multiples of this. */
  public int blockBytes() {
    return blockBytes;
  }

  @Override
  public void close() throws ErrnoException {
    descriptor.close();
  }
}
