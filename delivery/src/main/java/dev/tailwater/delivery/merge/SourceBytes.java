package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.SharedDescriptor;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Reads bytes of a stream from its file again. The file is opened again, so that the agent can
 * close its own descriptor meanwhile: through that descriptor where it is open, which also finds
 * files that were renamed or deleted, and otherwise by name. It must be the same file, and the
 * bytes must have the checksum that they were delivered with. For one thread.
 */
final class SourceBytes implements AutoCloseable {
  private final SourceFiles files;
  private final FileCalls calls;
  private final TailReader reader;

  SourceBytes(SourceFiles files) {
    this.files = files;
    this.calls = files.calls();
    this.reader = new TailReader(calls);
  }

  /** Thrown when the bytes cannot be read any more, or are not those that were delivered. */
  static final class GoneException extends IOException {
    private static final long serialVersionUID = 1L;

    GoneException(String message) {
      super(message);
    }
  }

  /** Receives blocks. */
  interface Blocks {
    void accept(byte[] block, int lengthBytes) throws IOException;
  }

  /**
   * Reads the bytes of a range, block by block. They are verified only when this returns.
   *
   * @param block a buffer, which is filled repeatedly
   * @throws GoneException when they are not there any more, or are not those that were delivered
   */
  void read(StreamProgress stream, ByteRange range, int rawCrc32c, byte[] block, Blocks blocks)
      throws IOException {
    try (Descriptor file = open(stream)) {
      CRC32C crc = new CRC32C();
      long at = range.startBytes();
      while (at < range.endBytes()) {
        int filled = fill(file.fd(), at, block, range.endBytes());
        crc.update(block, 0, filled);
        blocks.accept(block, filled);
        at += filled;
      }
      if ((int) crc.getValue() != rawCrc32c) {
        throw new GoneException(file.path() + " has other bytes in " + range + " than it had");
      }
    }
  }

  private int fill(int fd, long offsetBytes, byte[] block, long endBytes) throws IOException {
    int wanted = (int) Math.min(block.length, endBytes - offsetBytes);
    int filled = 0;
    while (filled < wanted) {
      int read = reader.read(fd, offsetBytes + filled, block, filled, wanted - filled);
      if (read <= 0) {
        throw new GoneException("the file ends at byte " + (offsetBytes + filled));
      }
      filled += read;
    }
    return filled;
  }

  private Descriptor open(StreamProgress stream) throws IOException {
    Optional<WatchedFile> watched = files.watched().apply(stream.identity());
    Optional<Descriptor> opened = watched.isPresent() ? again(watched.get()) : Optional.empty();
    if (opened.isEmpty()) {
      PosixPath name =
          watched.map(WatchedFile::name).orElseGet(() -> files.names().here(stream.path()));
      opened = byName(name);
    }
    Descriptor file =
        opened.orElseThrow(() -> new GoneException(stream.path() + " cannot be opened any more"));
    boolean same = false;
    try {
      same = FileIdentity.of(calls, file.fd()).equals(stream.identity());
    } finally {
      if (!same) {
        file.close();
      }
    }
    if (!same) {
      throw new GoneException(stream.path() + " is another file by now");
    }
    return file;
  }

  /** Opens the file by name; empty when there is none, or this agent may not open it. */
  private Optional<Descriptor> byName(PosixPath name) throws ErrnoException {
    try {
      return TailOpener.following(calls).open(name).map(TailOpener.Opened::descriptor);
    } catch (ErrnoException e) {
      return switch (e.errno()) {
        case EACCES, EPERM, ELOOP -> Optional.empty();
        default -> throw e;
      };
    }
  }

  /** Opens the file through the agent's own descriptor; see proc_pid_fd(5). */
  private Optional<Descriptor> again(WatchedFile watched) throws ErrnoException {
    Optional<SharedDescriptor.Lease> lease = watched.lease();
    if (lease.isEmpty()) {
      return Optional.empty();
    }
    try (SharedDescriptor.Lease own = lease.get()) {
      PosixPath link = PosixPath.of("/proc/self/fd/" + own.fd());
      return Optional.of(
          Descriptor.open(calls, NameCalls.AT_FDCWD, link, Set.of(OpenFlag.NON_BLOCK), 0));
    } catch (ErrnoException e) {
      return switch (e.errno()) {
        // There is no /proc, or the agent may not open the file again.
        case ENOENT, ENXIO, ELOOP, EACCES, EPERM -> Optional.empty();
        default -> throw e;
      };
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
