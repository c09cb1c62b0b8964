package dev.tailwater.posix.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.MapAdvice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MethodsTest {
  /** Methods that cannot fail, at least for root: none of their arguments can be wrong. */
  private static final Set<String> NEVER_FAILING =
      Set.of("inotifyInit", "fanotifyInit", "eventFd", "effectiveUserId");

  private final FileCalls real = LinuxFileCalls.create();

  static Stream<Method> fileCalls() {
    return Arrays.stream(FileCalls.class.getMethods())
        .filter(method -> !NEVER_FAILING.contains(method.getName()));
  }

  /** Makes each call with a descriptor that is not open, or a path that does not exist. */
  @ParameterizedTest
  @MethodSource("fileCalls")
  void injectedFailureReadsAsTheRealOne(Method method) throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      Class<?>[] types = method.getParameterTypes();
      Object[] arguments = new Object[types.length];
      for (int i = 0; i < types.length; i++) {
        arguments[i] = wrongArgument(types[i], i, arena);
      }
      InvocationTargetException thrown =
          assertThrows(InvocationTargetException.class, () -> method.invoke(real, arguments));
      ErrnoException failure = assertInstanceOf(ErrnoException.class, thrown.getTargetException());
      ErrnoException injected =
          Methods.failure(method.getName(), List.of(arguments), failure.errno());
      if (method.getName().equals("pollReadable")) {
        assertEquals("poll", failure.operation()); // a real one names the single descriptor
        assertEquals("poll", injected.operation());
      } else {
        assertEquals(failure.getMessage(), injected.getMessage());
      }
    }
  }

  private static Object wrongArgument(Class<?> type, int index, Arena arena) {
    if (type == int.class) {
      return index == 0 ? -1 : 0; // only the first argument is always a descriptor
    }
    if (type == long.class) {
      return 0L;
    }
    if (type == PosixPath.class) {
      return PosixPath.of("does/not/exist");
    }
    if (type == String.class) {
      return "user.name";
    }
    if (type == MemorySegment.class) {
      return arena.allocate(16);
    }
    if (type == byte[].class) {
      return new byte[16];
    }
    if (type == Consumer.class) {
      return (Consumer<Object>) _ -> {};
    }
    if (type == Set.class) {
      return Set.of();
    }
    if (type == Arena.class) {
      return arena;
    }
    if (type == MapAdvice.class) {
      return MapAdvice.NORMAL;
    }
    if (type == Advice.class) {
      return Advice.NORMAL;
    }
    if (type == int[].class) {
      return new int[] {1_000_000};
    }
    throw new IllegalArgumentException("no wrong " + type);
  }
}
