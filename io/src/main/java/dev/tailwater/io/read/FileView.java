package dev.tailwater.io.read;

import dev.tailwater.io.FileRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A view of a range of a file, for access in any order: a mapping of the page cache, or a copy of
 * the bytes in native memory; {@link #choice} says which and why.
 *
 * <pre>{@code
 * try (FileView index = file.view(new FileRange(footerOffset, footerBytes))) {
 *   int entries = index.use(bytes -> bytes.get(ENTRY_COUNT, 0));
 * }
 * }</pre>
 *
 * <p>A mapped view shows the file as it is at each moment, even while somebody writes to it. If the
 * file is truncated, every access through {@link #use} and {@link #copyTo} that needs missing bytes
 * throws a {@link FileShrunkException} and returns nothing of what it had read: the view checks the
 * size of the file before and after each access, and catches the {@link InternalError} that the JVM
 * throws for a missing page.
 *
 * <p>{@link #copyTo} is safe whatever happens to the file. {@link #use} on a mapped view is as safe
 * as the JVM makes it: when the file is truncated <em>while the function runs</em>, HotSpot skips
 * the load that failed and throws a few instructions later, and code that C2 compiled may use what
 * was in the register meanwhile. Sums and comparisons do no harm; a byte that goes into a table as
 * an index may (seen on JDK 25: {@code Long.valueOf(byte)} behind such a load ended the JVM with
 * SIGSEGV). For files that others truncate at any time, such as logs under {@code copytruncate},
 * copy first, or ask for the view with {@link ReadMethod#POOLED}.
 *
 * <p><strong>A mapped segment must not be handed to native code</strong>, nor to methods of the JDK
 * that work on native memory by native code or by generated stubs: seen on JDK 25, {@code CRC32},
 * {@code CRC32C}, {@code Adler32} and {@code Deflater} over a byte buffer of a truncated mapping
 * end the JVM with SIGBUS. {@link #copyTo} an array first. Plain {@code get}, {@code copy} and
 * {@code asSlice} are safe; so are system calls, which fail with EFAULT.
 *
 * <p>Views outlive the {@link ReadableFile} that they are of: its descriptor is closed behind the
 * last of them.
 */
public interface FileView extends AutoCloseable {
  /** What is done with the bytes of a view. */
  @FunctionalInterface
  interface Use<T> {
    /**
     * Looks at the bytes.
     *
     * @param bytes read only, and only to be used until this returns
     */
    T apply(MemorySegment bytes) throws IOException;
  }

  /** The range of the file that this is. */
  FileRange range();

  /** {@link ReadMethod#MAPPED} or {@link ReadMethod#POOLED}, and why. */
  ReadChoice choice();

  /**
   * Works on all bytes. Of a mapped view all pages are brought in first; for a part of a large one,
   * {@link #use(long, long, Use)} brings in just that.
   *
   * @throws FileShrunkException when the file does not have all of them any more, whatever the
   *     function did; what it threw is suppressed
   * @throws IOException when they cannot be read, or what the function throws
   * @throws IllegalStateException after close
   */
  default <T> T use(Use<T> function) throws IOException {
    return use(0, range().lengthBytes(), function);
  }

  /**
   * Works on a part.
   *
   * @param fromBytes index in the view, not in the file
   * @throws FileShrunkException when the file does not have all of the part any more
   * @throws IndexOutOfBoundsException for a part that is not within the view
   * @throws IllegalStateException after close
   */
  <T> T use(long fromBytes, long lengthBytes, Use<T> function) throws IOException;

  /**
   * Copies a part into an array.
   *
   * @param fromBytes index in the view, not in the file
   * @throws FileShrunkException when the file does not have all of the part any more; the array
   *     then holds anything
   * @throws IndexOutOfBoundsException for a part that is not within the view or the array
   * @throws IllegalStateException after close
   */
  default void copyTo(long fromBytes, byte[] target, int index, int lengthBytes)
      throws IOException {
    copyTo(fromBytes, MemorySegment.ofArray(target).asSlice(index, lengthBytes));
  }

  /** As {@link #copyTo(long, byte[], int, int)}, into a segment of any kind, which is filled. */
  void copyTo(long fromBytes, MemorySegment target) throws IOException;

  /**
   * Unmaps it, or gives the memory back.
   *
   * @throws IllegalStateException the second time
   * @throws WrongThreadException by another thread than its own; it stays open then
   */
  @Override
  void close() throws IOException;
}
