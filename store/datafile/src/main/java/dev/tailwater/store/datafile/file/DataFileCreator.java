package dev.tailwater.store.datafile.file;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileAdvice;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.FileHeader.FileType;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.Transfers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;

/** A creator of data files, which hold only a header. */
public final class DataFileCreator {
  private final StoreDirectory directory;
  private final StoreIdentity identity;
  private final RandomGenerator random;

  public DataFileCreator(StoreDirectory directory, StoreIdentity identity, RandomGenerator random) {
    this.directory = directory;
    this.identity = identity;
    this.random = random;
  }

  /** Returns the directory that it makes files in. */
  public StoreDirectory directory() {
    return directory;
  }

  /**
   * Returns the header of a new data file.
   *
   * @param cleanTo as of {@link DataFile#cleanTo}
   */
  public FileHeader header(DataFileName name, long cleanTo) {
    return new FileHeader(FileType.DATA, name, identity, random.nextLong(), cleanTo);
  }

  /**
   * Creates a file that is durable under a temporary name.
   *
   * @throws StoreWriteException when it was not created
   */
  public Unpublished create(DataFileName name) throws StoreException {
    FileCalls calls = directory.calls();
    FileHeader header = new FileHeader(FileType.DATA, name, identity, random.nextLong());
    int fd = -1;
    try {
      fd = directory.create(name.temporaryPath());
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, header.toBytes());
        Transfers.writeAll(calls, fd, bytes, 0);
      }
      calls.fsync(fd);
      adviseRandom(calls, fd);
      return new Unpublished(header, fd);
    } catch (ErrnoException failed) {
      takeBack(name, fd, failed);
      throw new StoreWriteException(directory.path(), failed);
    }
  }

  /** Turns read-ahead off: values are read one by one. */
  public static void adviseRandom(FileCalls calls, int fd) throws ErrnoException {
    FileAdvice.give(calls, fd, 0, 0, Advice.RANDOM);
  }

  private void takeBack(DataFileName name, int fd, ErrnoException failed) {
    try {
      if (fd >= 0) {
        directory.calls().close(fd);
        directory.delete(name.temporaryPath());
      }
    } catch (ErrnoException alsoFailed) {
      failed.addSuppressed(alsoFailed); // opening the store deletes it
    }
  }

  /** A file that does not have its final name yet. */
  public final class Unpublished {
    private final FileHeader header;
    private final int fd;

    private Unpublished(FileHeader header, int fd) {
      this.header = header;
      this.fd = fd;
    }

    /** Gives it its name, durably, and adds it as the newest file. */
    public DataFile publish(DataFiles files) throws StoreFailedException {
      try {
        directory.publish(header.name().temporaryPath(), header.name().path());
        directory.sync();
      } catch (ErrnoException failed) {
        // Whether the file is there with this name is not known any more.
        takeBack(header.name(), fd, failed);
        throw new StoreFailedException(directory.path(), failed);
      }
      return files.addLast(
          number -> new DataFile(directory, header, fd, number, FileHeader.LENGTH_BYTES));
    }

    /** Closes and deletes it because of a failure. */
    public void discard(ErrnoException because) {
      takeBack(header.name(), fd, because);
    }
  }
}
