package dev.tailwater.posix.testkit;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.RingParameters;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** A wrapper that makes the real calls and records which descriptors they opened. Thread-safe. */
final class TrackedCalls {
  private final FileCalls real;
  private final SortedSet<Integer> descriptors = new ConcurrentSkipListSet<>();

  TrackedCalls(FileCalls real) {
    this.real = real;
  }

  /** Makes the real call; throws what it throws. */
  @Nullable Object make(Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("close")) {
      // Before the call: another thread can get the number as soon as the call is made.
      descriptors.remove(arguments[0]);
    }
    try {
      Object result = method.invoke(real, arguments);
      if (Methods.opens(method.getName())) {
        if (result instanceof Integer fd) {
          descriptors.add(fd);
        } else if (result instanceof RingParameters ring) {
          descriptors.add(ring.fd());
        }
      }
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  long pollReadable(int[] fds, long exceptional, int timeoutMillis) throws ErrnoException {
    return real.pollReadable(fds, exceptional, timeoutMillis);
  }

  /** Returns the open descriptors in ascending order. */
  List<Integer> openDescriptors() {
    return List.copyOf(descriptors);
  }

  /** Returns how many descriptors are open. */
  int openCount() {
    return descriptors.size();
  }

  /** Closes all descriptors, then throws the first exception, if there was one. */
  void closeAll() throws ErrnoException {
    Optional<ErrnoException> first = Optional.empty();
    for (int fd : openDescriptors()) {
      descriptors.remove(fd);
      try {
        real.close(fd);
      } catch (ErrnoException e) {
        first = first.or(() -> Optional.of(e));
      }
    }
    if (first.isPresent()) {
      throw first.get();
    }
  }

  @Override
  public String toString() {
    return real.toString();
  }
}
