package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.Transfers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * Files that are derived from the data files and can be rebuilt; written completely or not at all.
 */
final class DerivedFile {
  private DerivedFile() {}

  /** Fills a file. */
  @FunctionalInterface
  interface Content {
    void writeTo(BlockWriter out) throws IOException;
  }

  /** Reads a file; returns empty when it is unusable. */
  @FunctionalInterface
  interface Reading<T> {
    Optional<T> read(BlockReader in) throws IOException;
  }

  /** Writes a file, durably with its name; leaves nothing on failure. */
  static void write(StoreDirectory directory, PosixPath name, FileHeader header, Content content)
      throws IOException {
    PosixPath temporary = PosixPath.of(name.decoded() + DataFileName.TEMPORARY_SUFFIX);
    FileCalls calls = directory.calls();
    try {
      int fd = directory.create(temporary);
      try (BlockWriter out = new BlockWriter(calls, fd, header)) {
        content.writeTo(out);
        out.finish();
        calls.fsync(fd);
      } finally {
        calls.close(fd);
      }
      directory.publish(temporary, name);
      directory.sync();
    } catch (IOException failed) {
      try {
        directory.delete(temporary);
      } catch (ErrnoException alsoFailed) {
        failed.addSuppressed(alsoFailed);
      }
      throw failed;
    }
  }

  /**
   * Reads the file of this name. Returns empty when there is none, when it belongs to another
   * store, and when it is damaged, which may be noticed only after much has been read.
   */
  static <T> Optional<T> read(
      StoreDirectory directory,
      PosixPath name,
      FileHeader.FileType type,
      FileHeader data,
      Reading<T> reading)
      throws IOException {
    return open(
        directory,
        name,
        type,
        data.name(),
        (fd, header) -> {
          if (!header.store().equals(data.store())) {
            return Optional.empty();
          }
          try (BlockReader in = new BlockReader(directory.calls(), fd, header.salt())) {
            Optional<T> result = reading.read(in);
            return in.isBroken() ? Optional.empty() : result;
          }
        });
  }

  /** The store that the file of this name belongs to; empty when there is none to be read. */
  static Optional<FileHeader.StoreIdentity> storeOf(
      StoreDirectory directory, PosixPath name, FileHeader.FileType type, DataFileName places)
      throws IOException {
    return open(directory, name, type, places, (fd, header) -> Optional.of(header.store()));
  }

  @FunctionalInterface
  private interface Opened<T> {
    Optional<T> with(int fd, FileHeader header) throws IOException;
  }

  private static <T> Optional<T> open(
      StoreDirectory directory,
      PosixPath name,
      FileHeader.FileType type,
      DataFileName places,
      Opened<T> opened)
      throws IOException {
    int fd;
    try {
      fd = directory.openToRead(name);
    } catch (ErrnoException failed) {
      if (failed.errno() == Errno.ENOENT) {
        return Optional.empty();
      }
      throw failed;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(FileHeader.LENGTH_BYTES);
      if (Transfers.readFully(directory.calls(), fd, memory, 0) < memory.byteSize()) {
        return Optional.empty();
      }
      return opened.with(
          fd,
          FileHeader.parse(
              memory.toArray(ValueLayout.JAVA_BYTE), type, places, directory.pathOf(name)));
    } catch (DamagedStoreException | UnsupportedStoreFormatException ofNoUse) {
      return Optional.empty();
    } finally {
      directory.calls().close(fd);
    }
  }
}
