package dev.tailwater.posix.linux;

import dev.tailwater.posix.MemoryCalls;
import dev.tailwater.posix.binding.CopyBindings;
import dev.tailwater.posix.binding.Platform;
import dev.tailwater.posix.value.CopyEngine;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The implementation of {@link MemoryCalls} for Linux. Creating one costs nothing: the first call
 * that needs native functions links them and opens the library of streaming engines. Stateless.
 */
public final class LinuxMemoryCalls implements MemoryCalls {
  private static final int NO_ENGINE = -1;

  /** The number of the engine, or a higher one for the best; {@link #NO_ENGINE} for none. */
  private final int wanted;

  private LinuxMemoryCalls(int wanted) {
    this.wanted = wanted;
  }

  /**
   * Creates the calls with the best available engine.
   *
   * @throws IllegalStateException on any system other than Linux on x86-64 or aarch64
   */
  public static MemoryCalls create() {
    Platform.current();
    return new LinuxMemoryCalls(Integer.MAX_VALUE);
  }

  /**
   * Creates the calls with one of the {@link #engines()}, to compare them.
   *
   * @throws IllegalArgumentException if the engine is not available
   * @throws IllegalStateException on any system other than Linux on x86-64 or aarch64
   */
  public static MemoryCalls create(CopyEngine engine) {
    List<CopyEngine> engines = engines();
    if (!engines.contains(engine)) {
      throw new IllegalArgumentException(
          "there is no copy engine " + engine + " here, only " + engines);
    }
    return new LinuxMemoryCalls(StreamingBindings.engines().indexOf(engine));
  }

  /**
   * Returns the engines of this machine and build, best first; {@link CopyEngine#MEMCPY} is last.
   */
  public static List<CopyEngine> engines() {
    Platform.current();
    List<CopyEngine> engines = new ArrayList<>(StreamingBindings.engines());
    Collections.reverse(engines);
    engines.add(CopyEngine.MEMCPY);
    return List.copyOf(engines);
  }

  @Override
  public void copy(MemorySegment source, MemorySegment target) {
    move(source, target, NO_ENGINE);
  }

  @Override
  public void copyStreaming(MemorySegment source, MemorySegment target) {
    move(source, target, number());
  }

  @Override
  public CopyEngine engine() {
    int number = number();
    return number == NO_ENGINE ? CopyEngine.MEMCPY : StreamingBindings.engines().get(number);
  }

  @Override
  public String engineReason() {
    if (wanted == NO_ENGINE) {
      return "asked for";
    }
    return StreamingBindings.engines().isEmpty()
        ? StreamingBindings.reason()
        : wanted == Integer.MAX_VALUE ? "the best of this processor" : "asked for";
  }

  private int number() {
    return wanted == NO_ENGINE ? NO_ENGINE : Math.min(wanted, StreamingBindings.best());
  }

  private static void move(MemorySegment source, MemorySegment target, int engine) {
    long bytes = source.byteSize();
    if (target.byteSize() != bytes) {
      throw new IllegalArgumentException(
          "a copy of " + bytes + " bytes into " + target.byteSize() + " bytes");
    }
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("a copy into read-only memory");
    }
    if (source.isNative() && target.isNative()) {
      ordinary(source, target, bytes, engine);
      return;
    }
    for (long done = 0; done < bytes; done += MAX_CRITICAL_BYTES) {
      long chunk = Math.min(MAX_CRITICAL_BYTES, bytes - done);
      critical(source.asSlice(done, chunk), target.asSlice(done, chunk), chunk, engine);
    }
  }

  private static void ordinary(MemorySegment source, MemorySegment target, long bytes, int engine) {
    if (engine == NO_ENGINE) {
      CopyBindings.memcpy(target, source, bytes);
    } else {
      StreamingBindings.stream(target, source, bytes, engine);
    }
  }

  private static void critical(MemorySegment source, MemorySegment target, long bytes, int engine) {
    if (engine == NO_ENGINE) {
      CopyBindings.memcpyCritical(target, source, bytes);
    } else {
      StreamingBindings.streamCritical(target, source, bytes, engine);
    }
  }
}
