package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class BinderTest {
  private final Binder binder = new Binder();

  @Test
  void missingFunctionIsLinkedAndSaysEnosysWhenItIsCalled() throws Throwable {
    MethodHandle handle =
        binder.ordinary("tailwater_no_such_function", JAVA_LONG, JAVA_INT, ADDRESS);
    try (Scratch scratch = new ScratchPool().acquire()) {
      long result = (long) handle.invokeExact(scratch.errno(), 7, MemorySegment.NULL);
      assertEquals(-1, result);
      ErrnoException failure = scratch.failure("openat2", 7);
      assertEquals(
          "openat2 fd 7: ENOSYS (Function not implemented; needs Linux 5.6)", failure.getMessage());
    }
  }

  @Test
  void missingFunctionThatReturnsAnIntDoesToo() throws Throwable {
    MethodHandle handle = binder.ordinary("tailwater_no_such_function", JAVA_INT, JAVA_INT);
    try (Scratch scratch = new ScratchPool().acquire()) {
      int result = (int) handle.invokeExact(scratch.errno(), 7);
      assertEquals(-1, result);
      assertEquals(Errno.ENOSYS.number(), scratch.errnoNumber());
    }
  }
}
