package dev.tailwater.io.read;

import dev.tailwater.io.FileRange;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;

/** A {@link FileView} that is the page cache itself. */
final class MappedView implements FileView {
  /** A copy is one stretch without a safepoint; this much takes well under a millisecond. */
  private static final int COPY_BYTES = 1 << 20;

  private final OpenFile file;
  private final FileRange range;
  private final ReadChoice choice;
  private final MemorySegment bytes;

  /** Bytes of the mapping before the range, which need not start at a page. */
  private final int leadBytes;

  private final PageLoader pageLoader;
  private final UseCount uses;

  private MappedView(
      OpenFile file, FileRange range, ReadChoice choice, MemorySegment mapping, Arena arena) {
    this.file = file;
    this.range = range;
    this.choice = choice;
    this.leadBytes = (int) (range.offsetBytes() % file.pageBytes());
    this.bytes = mapping.asSlice(leadBytes);
    this.pageLoader = new PageLoader(file, mapping, range.offsetBytes() - leadBytes);
    this.uses =
        new UseCount(
            file.path() + ": this view",
            () -> {
              try {
                arena.close();
              } finally {
                file.uses().exit();
              }
            });
  }

  /**
   * Maps a range that is not empty. Enters the file, which is left again when this is closed.
   *
   * @param arena is closed with the view; decides which threads may use it
   */
  static MappedView of(OpenFile file, FileRange range, ReadChoice choice, Arena arena)
      throws IOException {
    try {
      file.uses().enter();
    } catch (IllegalStateException e) {
      arena.close();
      throw e;
    }
    try {
      long startBytes = range.offsetBytes() / file.pageBytes() * file.pageBytes();
      MemorySegment mapping =
          file.calls().map(file.fd(), startBytes, range.endBytes() - startBytes, arena);
      return new MappedView(file, range, choice, mapping, arena);
    } catch (IOException | RuntimeException e) {
      arena.close();
      file.uses().exit();
      throw e;
    }
  }

  @Override
  public FileRange range() {
    return range;
  }

  @Override
  public ReadChoice choice() {
    return choice;
  }

  @Override
  public <T> T use(long fromBytes, long lengthBytes, Use<T> function) throws IOException {
    Objects.checkFromIndexSize(fromBytes, lengthBytes, range.lengthBytes());
    uses.enter();
    try {
      populate(fromBytes, lengthBytes);
      return guarded(fromBytes, lengthBytes, function);
    } finally {
      uses.exit();
    }
  }

  @Override
  public void copyTo(long fromBytes, MemorySegment target) throws IOException {
    Objects.checkFromIndexSize(fromBytes, target.byteSize(), range.lengthBytes());
    uses.enter();
    try {
      for (long done = 0; done < target.byteSize(); done += COPY_BYTES) {
        long count = Math.min(COPY_BYTES, target.byteSize() - done);
        MemorySegment to = target.asSlice(done, count);
        populate(fromBytes + done, count);
        guarded(
            fromBytes + done,
            count,
            part -> {
              MemorySegment.copy(part, 0, to, 0, count);
              return count;
            });
      }
    } finally {
      uses.exit();
    }
  }

  private void populate(long fromBytes, long lengthBytes) throws IOException {
    try {
      pageLoader.ensure(leadBytes + fromBytes, lengthBytes);
    } catch (ErrnoException e) {
      if (e.errno() == Errno.EFAULT) {
        requireThere(fromBytes, lengthBytes, Optional.of(e));
      }
      throw e;
    }
  }

  /**
   * Asks for the size of the file before and after the function. Before, so that only a truncation
   * while the function runs can lead to a bad access at all: after one, compiled code goes on with
   * whatever was in the register, until the JVM throws. After, in the same try: when a bad access
   * was the last thing that the function did, the JVM throws its error on the way back from that
   * native call at the latest.
   */
  private <T> T guarded(long fromBytes, long lengthBytes, Use<T> function) throws IOException {
    try {
      requireThere(fromBytes, lengthBytes, Optional.empty());
      T result;
      try {
        result = function.apply(bytes.asSlice(fromBytes, lengthBytes));
      } catch (IOException | RuntimeException e) {
        requireThere(fromBytes, lengthBytes, Optional.of(e)); // perhaps it stumbled over garbage
        throw e;
      }
      requireThere(fromBytes, lengthBytes, Optional.empty());
      return result;
    } catch (InternalError e) {
      if (!isBadAccess(e)) {
        throw e;
      }
      throw unreadable(fromBytes, lengthBytes, e);
    }
  }

  /** HotSpot has two wordings: "a fault occurred in a(n) (recent) unsafe memory access...". */
  private static boolean isBadAccess(InternalError e) {
    return String.valueOf(e.getMessage()).contains("unsafe memory access");
  }

  private void requireThere(long fromBytes, long lengthBytes, Optional<Throwable> thrown)
      throws IOException {
    long needed = range.offsetBytes() + fromBytes + lengthBytes;
    long sizeBytes = file.sizeBytes();
    if (sizeBytes < needed) {
      FileShrunkException shrunk = shrunk(fromBytes, lengthBytes, sizeBytes);
      thrown.ifPresent(shrunk::addSuppressed);
      throw shrunk;
    }
  }

  private FileShrunkException shrunk(long fromBytes, long lengthBytes, long sizeBytes) {
    FileRange part = new FileRange(range.offsetBytes() + fromBytes, lengthBytes);
    return new FileShrunkException(file.path(), part.toString(), part.endBytes(), sizeBytes);
  }

  /** A page without a file behind it: cut off, even if it grew again; or the disk failed. */
  private IOException unreadable(long fromBytes, long lengthBytes, InternalError error)
      throws IOException {
    requireThere(fromBytes, lengthBytes, Optional.of(error));
    return new IOException(
        "%s: %d bytes at offset %d could not be read through their mapping: the file was truncated and has grown again, or its disk failed (see the kernel's log)"
            .formatted(file.path(), lengthBytes, range.offsetBytes() + fromBytes),
        error);
  }

  @Override
  public void close() throws IOException {
    ThreadConfinement.check(bytes, this);
    uses.close();
  }

  @Override
  public String toString() {
    return "mapped view of " + file.path() + ", " + range;
  }
}
