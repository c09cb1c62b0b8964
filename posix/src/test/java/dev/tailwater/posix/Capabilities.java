package dev.tailwater.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/** Makes a thread as powerless as one of an ordinary user; capabilities(7) belong to threads. */
final class Capabilities {
  /** _LINUX_CAPABILITY_VERSION_3: a header of two ints, three sets of 64 bits. */
  private static final int VERSION = 0x20080522;

  private static final int SETS_BYTES = 24;

  private Capabilities() {}

  /** Of the calling thread, until it ends. */
  @SuppressWarnings("restricted") // a function that the product itself does not need
  static void dropOfThisThread() {
    Linker linker = Linker.nativeLinker();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(8, 8);
      header.set(JAVA_INT, 0, VERSION);
      int result =
          (int)
              linker
                  .downcallHandle(
                      linker.defaultLookup().findOrThrow("capset"),
                      FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS))
                  .invoke(header, arena.allocate(SETS_BYTES, 8));
      if (result != 0) {
        throw new IllegalStateException("capset failed");
      }
    } catch (Throwable e) {
      throw new IllegalStateException("capset", e);
    }
  }
}
