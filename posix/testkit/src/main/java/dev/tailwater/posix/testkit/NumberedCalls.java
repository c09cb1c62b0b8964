package dev.tailwater.posix.testkit;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Calls that see other inode numbers, as below file systems that make numbers up or pass on those
 * of several others: no file has a generation, and no change time vouches for one.
 */
public final class NumberedCalls {
  private NumberedCalls() {}

  /**
   * Wraps calls.
   *
   * @param number the number that is seen; empty: the status is as it is
   */
  public static FileCalls of(FileCalls real, Function<FileStatus, OptionalLong> number) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, called, arguments) -> {
              if (called.getName().equals("generation")) {
                throw ErrnoException.of("ioctl", "a file", Errno.ENOTTY);
              }
              try {
                Object result = called.invoke(real, arguments);
                return result instanceof FileStatus status
                    ? numbered(status, number.apply(status))
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static FileStatus numbered(FileStatus status, OptionalLong number) {
    return number.isEmpty()
        ? status
        : Records.like(
            status,
            Map.of(
                "inode",
                number.getAsLong(),
                "changeTimeNanos",
                status.modificationTimeNanos(),
                "birthTimeNanos",
                OptionalLong.empty()));
  }
}
