package dev.tailwater.io.copy;

import dev.tailwater.posix.MemoryCalls;
import dev.tailwater.posix.linux.LinuxMemoryCalls;
import dev.tailwater.posix.value.CopyEngine;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Copies bytes that will not be read soon, by non-temporal stores, which bypass the caches: they
 * neither read the target first nor push other data out of the cache. For a block that goes into a
 * staging buffer and is sent later. If the target is read at once, use {@link System#arraycopy},
 * which leaves it in the cache.
 *
 * <pre>{@code
 * StreamingCopy copy = StreamingCopy.load();
 * copy.copy(block, 0, staging, used, block.length);
 * }</pre>
 *
 * <p>Without the native library (a build without a C compiler, or a machine that does not let it be
 * loaded) the C library's memcpy does the same work; {@link #engine()} and {@link #engineReason()}
 * tell. Copies of less than {@link #MIN_STREAMED_BYTES} are plain ones.
 *
 * <p>Thread-safe; created once and shared. See article 004, parts 4 and 5.
 */
public final class StreamingCopy {
  /**
   * Shorter copies are plain ones. Measured into a cold target (Xeon with AVX-512, a busy virtual
   * machine, medians): at 8 KiB 1.4 µs streaming and 1.2 µs plain, at 32 KiB 3.6 and 4.9, at 128
   * KiB 9.9 and 19.5. The limit does not depend on the size of a cache: callers use this copy for
   * targets that are not read soon, however short a single copy is.
   */
  public static final int MIN_STREAMED_BYTES = 16 * 1024;

  private final MemoryCalls calls;

  private StreamingCopy(MemoryCalls calls) {
    this.calls = calls;
  }

  /**
   * Returns a copier with the best engine of this machine. Costs nothing until the first long copy,
   * which loads the library.
   *
   * @throws IllegalStateException on another system than Linux on x86-64 or aarch64
   */
  public static StreamingCopy load() {
    return new StreamingCopy(LinuxMemoryCalls.create());
  }

  /** Returns a copier with the given calls, such as {@link LinuxMemoryCalls#create(CopyEngine)}. */
  public static StreamingCopy with(MemoryCalls calls) {
    return new StreamingCopy(calls);
  }

  /** Returns the engine of long copies. */
  public CopyEngine engine() {
    return calls.engine();
  }

  /** Returns why that engine was chosen, for a message. */
  public String engineReason() {
    return calls.engineReason();
  }

  /**
   * Copies between arrays, straight: nothing is allocated off the heap, and no collection is held
   * up for more than {@link MemoryCalls#MAX_CRITICAL_BYTES}.
   *
   * @throws IndexOutOfBoundsException when an array does not have that range; nothing was copied
   * @throws IllegalArgumentException when it is the same array and the ranges overlap
   */
  @SuppressWarnings("ReferenceEquality") // whether they are one array, not whether they are alike
  public void copy(byte[] source, int from, byte[] target, int to, int lengthBytes) {
    Objects.checkFromIndexSize(from, lengthBytes, source.length);
    Objects.checkFromIndexSize(to, lengthBytes, target.length);
    if (source == target && Math.abs((long) from - to) < lengthBytes) {
      throw new IllegalArgumentException(
          "overlapping copy of " + lengthBytes + " bytes from " + from + " to " + to);
    }
    if (lengthBytes < MIN_STREAMED_BYTES) {
      System.arraycopy(source, from, target, to, lengthBytes);
      return;
    }
    calls.copyStreaming(
        MemorySegment.ofArray(source).asSlice(from, lengthBytes),
        MemorySegment.ofArray(target).asSlice(to, lengthBytes));
  }

  /**
   * Copies between segments, each on or off the heap. A mapped file ({@link
   * MemorySegment#isMapped}) is copied from and to by {@link MemorySegment#copy}, because that
   * throws where the file was truncated, and native code would be killed. So is whatever native
   * source is read-only: mappings of {@link dev.tailwater.posix.MapCalls#map} are, and say no more
   * of what they are.
   *
   * @throws IndexOutOfBoundsException when a segment does not have that range; nothing was copied
   * @throws IllegalArgumentException when the ranges overlap, or the target is read-only
   * @throws IllegalStateException when a segment's arena is closed
   * @throws WrongThreadException when a segment belongs to another thread
   */
  public void copy(
      MemorySegment source, long from, MemorySegment target, long to, long lengthBytes) {
    copy(source.asSlice(from, lengthBytes), target.asSlice(to, lengthBytes));
  }

  /**
   * Copies all of {@code source} to {@code target}, which is as long; as {@link
   * #copy(MemorySegment, long, MemorySegment, long, long)}.
   */
  public void copy(MemorySegment source, MemorySegment target) {
    if (source.byteSize() != target.byteSize()) {
      throw new IllegalArgumentException(
          "a copy of " + source.byteSize() + " bytes into " + target.byteSize() + " bytes");
    }
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("a copy into read-only memory");
    }
    if (source.asOverlappingSlice(target).isPresent()) {
      throw new IllegalArgumentException(
          "overlapping copy of " + source.byteSize() + " bytes from " + source + " to " + target);
    }
    if (source.byteSize() < MIN_STREAMED_BYTES || mayBeMapped(source) || target.isMapped()) {
      target.copyFrom(source);
      return;
    }
    calls.copyStreaming(source, target);
  }

  private static boolean mayBeMapped(MemorySegment source) {
    return source.isMapped() || (source.isNative() && source.isReadOnly());
  }
}
