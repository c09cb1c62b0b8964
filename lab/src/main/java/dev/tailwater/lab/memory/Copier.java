package dev.tailwater.lab.memory;

import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.MemoryCalls;
import dev.tailwater.posix.linux.LinuxMemoryCalls;
import dev.tailwater.posix.value.CopyEngine;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The compared methods of copying between arrays. */
public enum Copier {
  /** No copy; the others are compared with it. */
  NONE,
  /** {@link System#arraycopy}. */
  ARRAYCOPY,
  /** libc's memcpy, in critical calls. */
  MEMCPY,
  /** {@link StreamingCopy} with the best engine. */
  STREAMING;

  /**
   * The options of the JVM. The old generation, two thirds of the heap, has room for a target of
   * 512 MiB, which is larger than any cache.
   */
  static final List<String> JVM_OPTIONS = List.of("-Xms1g", "-Xmx1g", "-XX:+UseSerialGC");

  /** Copies all of {@code source} into {@code target}, from index {@code to} on. */
  @FunctionalInterface
  interface Copy {
    void copy(byte[] source, byte[] target, int to);
  }

  /** Returns the method. */
  Copy way() {
    return switch (this) {
      case NONE -> (source, target, to) -> {};
      case ARRAYCOPY ->
          (source, target, to) -> System.arraycopy(source, 0, target, to, source.length);
      case MEMCPY -> {
        MemoryCalls calls = LinuxMemoryCalls.create(CopyEngine.MEMCPY);
        yield (source, target, to) ->
            calls.copy(
                MemorySegment.ofArray(source),
                MemorySegment.ofArray(target).asSlice(to, source.length));
      }
      case STREAMING -> {
        StreamingCopy streaming = StreamingCopy.load();
        yield (source, target, to) -> streaming.copy(source, 0, target, to, source.length);
      }
    };
  }
}
