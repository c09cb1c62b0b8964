package dev.tailwater.io;

import dev.tailwater.posix.FileCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Real calls around which a test does something. */
public final class WrappedCalls {
  private WrappedCalls() {}

  /** Makes the real call; may be made any number of times. */
  @FunctionalInterface
  public interface RealCall {
    @Nullable Object make() throws Throwable;
  }

  /** What is done instead of a call. */
  @FunctionalInterface
  public interface Around {
    @Nullable Object call(Method method, Object[] arguments, RealCall real) throws Throwable;
  }

  public static FileCalls of(FileCalls real, Around around) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) ->
                around.call(method, arguments, () -> make(real, method, arguments)));
  }

  private static @Nullable Object make(FileCalls real, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
