package dev.tailwater.posix.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.RingParameters;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A wrapper of file calls that detects when a descriptor is closed while another thread uses it,
 * and when a descriptor is used after it was closed. No call fails in these cases, because the
 * number may already belong to another file. Watches only descriptors that were opened through the
 * wrapper. Thread-safe.
 */
public final class DescriptorGuard {
  private final FileCalls real;
  private final FileCalls calls;

  /** The open descriptors, with the calls in progress on each. */
  @GuardedBy("this")
  private final Map<Integer, List<String>> open = new HashMap<>();

  @GuardedBy("this")
  private final Map<Integer, String> closed = new HashMap<>();

  @GuardedBy("this")
  private final List<String> violations = new ArrayList<>();

  private DescriptorGuard(FileCalls real) {
    this.real = real;
    this.calls =
        (FileCalls)
            Proxy.newProxyInstance(
                FileCalls.class.getClassLoader(), new Class<?>[] {FileCalls.class}, this::invoke);
  }

  /** Wraps file calls. */
  public static DescriptorGuard wrap(FileCalls real) {
    return new DescriptorGuard(real);
  }

  /** Returns the file calls to pass to the code under test. */
  public FileCalls calls() {
    return calls;
  }

  /** Returns the descriptors that were opened and not closed yet, in ascending order. */
  public synchronized List<Integer> openDescriptors() {
    return open.keySet().stream().sorted().toList();
  }

  /**
   * Throws an {@link AssertionError} if a descriptor was closed in use, or used after it was
   * closed.
   */
  public synchronized void verify() {
    if (!violations.isEmpty()) {
      throw new AssertionError(String.join("\n", violations));
    }
  }

  private @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object[] given = arguments == null ? new Object[0] : arguments;
    boolean usesDescriptor = given.length > 0 && given[0] instanceof Integer;
    if (method.getDeclaringClass() == Object.class || !usesDescriptor) {
      return opened(method, make(method, given));
    }
    int fd = (int) given[0];
    String use = method.getName() + " by " + Thread.currentThread().getName();
    begin(fd, method, use);
    try {
      return opened(method, make(method, given));
    } finally {
      end(fd, use);
    }
  }

  private @Nullable Object make(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private synchronized void begin(int fd, Method method, String use) {
    List<String> uses = open.get(fd);
    if (uses == null) {
      if (closed.containsKey(fd)) {
        violations.add("fd " + fd + ": " + use + " after " + closed.get(fd));
      }
    } else if (method.getName().equals("close")) {
      if (!uses.isEmpty()) {
        violations.add("fd " + fd + ": " + use + " during " + uses);
      }
      // Before the call: another thread can get the number as soon as the call is made.
      open.remove(fd);
      closed.put(fd, use);
    } else {
      uses.add(use);
    }
  }

  private synchronized void end(int fd, String use) {
    List<String> uses = open.get(fd);
    if (uses != null) {
      uses.remove(use);
    }
  }

  private @Nullable Object opened(Method method, @Nullable Object result) {
    if (Methods.opens(method.getName())) {
      if (result instanceof Integer fd) {
        begin(fd);
      } else if (result instanceof RingParameters ring) {
        begin(ring.fd());
      }
    }
    return result;
  }

  private synchronized void begin(int fd) {
    closed.remove(fd);
    open.put(fd, new ArrayList<>());
  }
}
