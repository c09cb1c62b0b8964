package dev.tailwater.destination.directory;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An upload whose temporary file stays open from its first piece to its commit. Each piece is
 * written at once through a buffer that is borrowed for it, so pieces of 256 KiB and more are best.
 * For one thread at a time.
 */
final class DirectoryUpload implements SegmentUpload {
  /** The parts of a destination that all its uploads share. */
  record Tools(
      FileCalls calls,
      ArchiveRoot archive,
      ParentDirectories parents,
      TemporaryFiles temporaries,
      ObjectWriter writer,
      Failures failures) {}

  private enum State {
    OPEN,
    /** Accepts no more bytes; the file will be removed. */
    OVER,
    /** The file has its name, or is gone. */
    DONE
  }

  private final Tools tools;
  private final String key;
  private final PosixPath name;
  private final Handle file;
  private boolean fileClosed;
  private long lengthBytes;
  private State state = State.OPEN;

  private DirectoryUpload(Tools tools, String key, PosixPath name, Handle file) {
    this.tools = tools;
    this.key = key;
    this.name = name;
    this.file = file;
  }

  static DirectoryUpload begin(Tools tools, String key) throws DestinationException {
    PosixPath name = tools.temporaries().newName();
    Optional<Handle> created = Optional.empty();
    try {
      try (Handle root = tools.archive().enter("put", key);
          Handle temporary = tools.temporaries().directory(root)) {
        created = Optional.of(tools.writer().create(temporary, name));
      }
      return new DirectoryUpload(tools, key, name, created.get());
    } catch (ErrnoException e) {
      created.ifPresent(file -> closeAfter(file, e));
      throw tools.failures().of("put", key, e);
    }
  }

  private static void closeAfter(Handle file, ErrnoException reason) {
    try {
      file.close();
    } catch (ErrnoException e) {
      reason.addSuppressed(e);
    }
  }

  @Override
  public void write(ByteBuffer content) throws DestinationException {
    proceed();
    try {
      tools.writer().write(file, name, lengthBytes, content);
    } catch (ErrnoException e) {
      throw tools.failures().of("put", key, e);
    }
    lengthBytes += content.remaining();
    state = State.OPEN;
  }

  @Override
  public PutResult commit() throws DestinationException {
    proceed();
    try (Handle root = tools.archive().enter("put", key);
        Handle parent = tools.parents().openDurable(root, ParentDirectories.pathOf(key));
        Handle temporary = tools.temporaries().directory(root)) {
      tools.calls().fdatasync(file.fd());
      closeFile();
      PutResult result =
          tools.writer().publish(temporary, name, parent, PosixPath.of(key).fileName());
      state = State.DONE;
      return result;
    } catch (ErrnoException e) {
      throw tools.failures().of("put", key, e);
    } catch (ObjectWriter.NotRegularException e) {
      throw tools.failures().notAnObject("put", key);
    }
  }

  /** Begins a step, which counts as failed until it is done. */
  private void proceed() {
    if (state != State.OPEN) {
      throw new IllegalStateException(key + " is committed or closed, or has failed before");
    }
    state = State.OVER;
  }

  private void closeFile() throws ErrnoException {
    if (!fileClosed) {
      fileClosed = true;
      file.close();
    }
  }

  @Override
  public void close() throws DestinationException {
    if (state == State.DONE) {
      return;
    }
    state = State.DONE;
    try {
      try {
        closeFile();
      } finally {
        remove();
      }
    } catch (ErrnoException e) {
      throw tools.failures().of("put", key, e);
    }
  }

  private void remove() throws ErrnoException, DestinationException {
    try (Handle root = tools.archive().enter("put", key);
        Handle temporary = tools.temporaries().directory(root)) {
      tools.calls().unlink(temporary.fd(), name);
    } catch (ErrnoException e) {
      // ENOENT: the failed commit has already removed or renamed the file.
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }
}
