package dev.tailwater.store.log.write;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.StoreFileReader;
import dev.tailwater.store.log.format.FileHeader;
import dev.tailwater.store.log.format.FileKind;
import dev.tailwater.store.log.format.FrameHeader;
import dev.tailwater.store.log.format.FrameKind;
import dev.tailwater.store.log.format.FrameReader;
import dev.tailwater.store.log.format.FrameWriter;
import dev.tailwater.store.log.format.LogFileName;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.recovery.StoreContents;
import java.io.IOException;
import java.util.List;

/** The log that is appended to. Used by one thread at a time. */
public final class Log implements AutoCloseable {
  private final StoreDirectory directory;
  private final FrameWriter writer;
  private final FileHeader header;
  private final int fd;
  private long endBytes;
  private long operations;
  private boolean sealed;

  private Log(
      StoreDirectory directory, FrameWriter writer, FileHeader header, int fd, long endBytes) {
    this.directory = directory;
    this.writer = writer;
    this.header = header;
    this.fd = fd;
    this.endBytes = endBytes;
  }

  /**
   * Creates a log, durable with its name.
   *
   * @throws StoreWriteException when it was not made
   * @throws StoreFailedException when it is unknown whether it was
   */
  public static Log create(StoreDirectory directory, FrameWriter writer, FileHeader header)
      throws StoreException {
    FileCalls calls = directory.calls();
    LogFileName name = new LogFileName(FileKind.LOG, header.sequence());
    int fd = -1;
    try {
      fd = directory.create(name.temporaryPath());
      writer.writeFileHeader(fd, header);
      calls.fsync(fd);
      directory.publish(name.temporaryPath(), name.path());
    } catch (ErrnoException failed) {
      takeBack(directory, name, fd);
      throw new StoreWriteException(directory.path(), failed);
    }
    try {
      directory.sync();
    } catch (ErrnoException failed) {
      closeAfter(failed, calls, fd);
      throw new StoreFailedException(directory.path(), failed);
    }
    return new Log(directory, writer, header, fd, FileHeader.LENGTH_BYTES);
  }

  /** A rename that failed may still have happened (NFS): the name must be gone, durably. */
  private static void takeBack(StoreDirectory directory, LogFileName name, int fd)
      throws StoreFailedException {
    try {
      if (fd >= 0) {
        directory.calls().close(fd);
        directory.delete(name.temporaryPath());
        directory.delete(name.path());
        directory.sync();
      }
    } catch (ErrnoException failed) {
      throw new StoreFailedException(directory.path(), failed);
    }
  }

  private static void closeAfter(ErrnoException failed, FileCalls calls, int fd) {
    try {
      calls.close(fd);
    } catch (ErrnoException alsoFailed) {
      failed.addSuppressed(alsoFailed);
    }
  }

  /**
   * Reopens the log of an earlier process for appending: cuts off a torn tail, and rewrites the
   * last frame. That frame may have been read from the page cache after its fdatasync failed;
   * rewriting it makes its pages dirty, so that the sync here has an effect.
   */
  static Log reopen(StoreDirectory directory, FrameWriter writer, StoreContents.LogEnd end)
      throws IOException {
    FileCalls calls = directory.calls();
    int fd = directory.openToAppend(end.name().path());
    try {
      FrameReader.Extent extent = end.extent();
      if (end.tornBytes() > 0) {
        calls.truncate(fd, extent.endBytes());
      }
      if (extent.lastFrame().isPresent()) {
        writeLastFrameAgain(directory, writer, end, fd);
      }
      calls.fsync(fd);
      Log log = new Log(directory, writer, end.header(), fd, extent.endBytes());
      log.operations = end.operations();
      log.sealed = extent.lastFrame().map(FrameHeader::kind).orElse(null) == FrameKind.SEAL;
      return log;
    } catch (IOException failed) {
      if (failed instanceof ErrnoException errno) {
        closeAfter(errno, calls, fd);
      } else {
        calls.close(fd);
      }
      throw failed;
    }
  }

  private static void writeLastFrameAgain(
      StoreDirectory directory, FrameWriter writer, StoreContents.LogEnd end, int fd)
      throws IOException {
    long from = end.extent().lastFrameOffsetBytes();
    int length = (int) (end.extent().endBytes() - from);
    try (StoreFileReader reader =
        new StoreFileReader(directory.calls(), fd, directory.pathOf(end.name().path()))) {
      writer.writeBytes(fd, reader.read(from, length), from);
    }
  }

  /** Returns the number of operations in it. */
  long operations() {
    return operations;
  }

  FileHeader header() {
    return header;
  }

  long endBytes() {
    return endBytes;
  }

  /** Appends the operations as one frame; returns when it is durable. */
  void append(List<Operation> added) throws StoreException {
    append(FrameKind.OPERATIONS, added);
    operations += added.size();
    sealed = false;
  }

  /** Appends a seal: everything up to here is durable. More may be appended after it. */
  void seal() throws StoreException {
    if (!sealed) {
      append(FrameKind.SEAL, List.of());
      sealed = true;
    }
  }

  /** Returns whether something was appended after the header or the last seal. */
  boolean hasUnsealedFrames() {
    return !sealed && endBytes > FileHeader.LENGTH_BYTES;
  }

  private void append(FrameKind kind, List<Operation> operations) throws StoreException {
    FileCalls calls = directory.calls();
    long end;
    try {
      end = writer.writeFrame(fd, header.salt(), endBytes, kind, operations);
    } catch (ErrnoException failed) {
      rollBack();
      throw new StoreWriteException(directory.path(), failed);
    }
    try {
      calls.fdatasync(fd);
    } catch (ErrnoException failed) {
      throw new StoreFailedException(directory.path(), failed);
    }
    endBytes = end;
  }

  /** Cuts off the frame and syncs, so that two frames that are not durable never overlap. */
  private void rollBack() throws StoreFailedException {
    try {
      directory.calls().truncate(fd, endBytes);
      directory.calls().fsync(fd);
    } catch (ErrnoException failed) {
      throw new StoreFailedException(directory.path(), failed);
    }
  }

  @Override
  public void close() throws ErrnoException {
    directory.calls().close(fd);
  }
}
