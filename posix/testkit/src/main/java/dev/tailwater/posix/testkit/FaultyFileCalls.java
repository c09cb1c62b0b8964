package dev.tailwater.posix.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Real file calls with faults in them: each call is counted, logged, and then does what a {@link
 * FaultPlan} says.
 *
 * <p>A crash is the death of the process as files see it: from the fatal call on, none has any
 * effect and each throws {@link CrashError}; {@link #kill} closes all descriptors that were opened
 * through it, which frees their locks. What was written stays, as it does in the page cache of a
 * machine that did not go down with the process.
 *
 * <p>Thread-safe. Decisions are made one at a time, in the order of the call numbers; the calls
 * themselves run at once as they would without it.
 */
public final class FaultyFileCalls {
  /** A blocked poll looks up this often whether the process is still alive. */
  private static final int POLL_SLICE_MILLIS = 10;

  private final TrackedCalls tracked;
  private final FaultPlan plan;
  private final FileCalls calls;

  /** Held for reading from decision to effect, so that no descriptor is closed in between. */
  private final ReadWriteLock alive = new ReentrantReadWriteLock();

  private final Object state = new Object();

  @GuardedBy("state")
  private final List<String> log = new ArrayList<>();

  @GuardedBy("state")
  private Optional<Call> fatal = Optional.empty();

  private FaultyFileCalls(FileCalls real, FaultPlan plan) {
    this.tracked = new TrackedCalls(real);
    this.plan = plan;
    this.calls =
        (FileCalls)
            Proxy.newProxyInstance(
                FileCalls.class.getClassLoader(), new Class<?>[] {FileCalls.class}, this::invoke);
  }

  /** File calls that do as the plan says. */
  public static FaultyFileCalls wrap(FileCalls real, FaultPlan plan) {
    return new FaultyFileCalls(real, plan);
  }

  /** What the code under test is given. */
  public FileCalls calls() {
    return calls;
  }

  /** The number of calls until now: with the one that crashed, without those after it. */
  public long callCount() {
    synchronized (state) {
      return log.size();
    }
  }

  /** The method name of each of these calls. */
  public List<String> log() {
    synchronized (state) {
      return List.copyOf(log);
    }
  }

  /** Whether the plan's crash came, or {@link #kill}. */
  public boolean crashed() {
    synchronized (state) {
      return fatal.isPresent();
    }
  }

  /** The descriptors that were opened and not closed yet, in ascending order. */
  public List<Integer> openDescriptors() {
    return tracked.openDescriptors();
  }

  /**
   * The process dies, if it has not yet: waits for the calls that are being made, then closes all
   * descriptors. Does nothing when called again.
   *
   * @throws ErrnoException the first that a real close threw; all are closed nevertheless
   */
  public void kill() throws ErrnoException {
    alive.writeLock().lock();
    try {
      synchronized (state) {
        die(new Call(log.size(), "kill", List.of()));
      }
      tracked.closeAll();
    } finally {
      alive.writeLock().unlock();
    }
  }

  private @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object[] given = arguments == null ? new Object[0] : arguments;
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(method.getName(), proxy, given);
    }
    Fault fault;
    alive.readLock().lock();
    try {
      Decision decision = decide(method.getName(), given);
      fault = decision.fault();
      if (!takesTime(decision)) {
        return act(decision, method, given);
      }
    } finally {
      alive.readLock().unlock();
    }
    if (fault instanceof Fault.Delay delay) {
      Thread.sleep(delay.millis());
    }
    return switch (method.getName()) {
      case "pollReadable" -> poll((int[]) given[0], (int) given[1]);
      case "ioUringEnter" -> enter(method, given);
      default -> later(method, given);
    };
  }

  private record Decision(Call call, Fault fault) {}

  private Decision decide(String method, Object[] arguments) {
    synchronized (state) {
      requireAlive();
      log.add(method);
      Call call = new Call(log.size(), method, List.of(arguments));
      Fault fault = plan.decide(call);
      if (fault instanceof Fault.CrashBefore
          || fault instanceof Fault.CrashAfter
          || fault instanceof Fault.CrashWithin) {
        die(call);
      }
      return new Decision(call, fault);
    }
  }

  /** What takes time is done without the lock, or {@link #kill} would wait for it. */
  private static boolean takesTime(Decision decision) {
    return switch (decision.fault()) {
      case Fault.Delay _ -> true;
      case Fault.Proceed _, Fault.Shorten _ ->
          decision.call().is("pollReadable") || decision.call().is("ioUringEnter");
      default -> false;
    };
  }

  private @Nullable Object act(Decision decision, Method method, Object[] arguments)
      throws Throwable {
    Call call = decision.call();
    return switch (decision.fault()) {
      case Fault.Proceed _ -> tracked.make(method, arguments);
      case Fault.Shorten shorten ->
          tracked.make(method, Methods.shortened(call.method(), arguments, shorten.maxBytes()));
      case Fault.Delay _ -> throw new AssertionError("a delay under the lock");
      case Fault.Fail fail -> {
        if (call.is("close")) {
          tracked.make(method, arguments);
        }
        throw Methods.failure(call.method(), call.arguments(), fail.errno());
      }
      case Fault.CrashBefore _ -> throw new CrashError(call.method(), call.number());
      case Fault.CrashAfter _ -> throw lastEffect(call, method, arguments);
      case Fault.CrashWithin within ->
          throw lastEffect(
              call, method, Methods.shortened(call.method(), arguments, within.maxBytes()));
    };
  }

  private CrashError lastEffect(Call call, Method method, Object[] arguments) throws Throwable {
    CrashError error = new CrashError(call.method(), call.number());
    if (call.is("pollReadable")) {
      return error; // it has no effect, and might wait for ever
    }
    try {
      tracked.make(method, Methods.withoutWaiting(call.method(), arguments));
    } catch (ErrnoException e) {
      error.addSuppressed(e); // the process dies before it sees how the call ended
    }
    return error;
  }

  private @Nullable Object later(Method method, Object[] arguments) throws Throwable {
    alive.readLock().lock();
    try {
      requireAlive();
      return tracked.make(method, arguments);
    } finally {
      alive.readLock().unlock();
    }
  }

  /**
   * A ring's descriptor is readable when there is a completion, so the wait can be a poll, which
   * ends when the process dies. It ends with the first completion whatever number is asked for, as
   * if a signal had come.
   */
  private @Nullable Object enter(Method method, Object[] arguments) throws Throwable {
    Object taken = later(method, Methods.withoutWaiting(method.getName(), arguments));
    if ((int) arguments[2] > 0) {
      poll(new int[] {(int) arguments[0]}, -1);
    }
    return taken;
  }

  /** In slices, so that a poll without end ends when the process dies. */
  private long poll(int[] fds, int timeoutMillis) throws ErrnoException {
    long startNanos = System.nanoTime();
    while (true) {
      long passedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
      long leftMillis =
          timeoutMillis < 0 ? POLL_SLICE_MILLIS : Math.max(0, timeoutMillis - passedMillis);
      long readable = pollOnce(fds, (int) Math.min(leftMillis, POLL_SLICE_MILLIS));
      if (readable != 0 || leftMillis == 0) {
        return readable;
      }
    }
  }

  private long pollOnce(int[] fds, int timeoutMillis) throws ErrnoException {
    alive.readLock().lock();
    try {
      requireAlive();
      return tracked.pollReadable(fds, timeoutMillis);
    } finally {
      alive.readLock().unlock();
    }
  }

  private void requireAlive() {
    synchronized (state) {
      if (fatal.isPresent()) {
        throw new CrashError(fatal.get().method(), fatal.get().number());
      }
    }
  }

  private void die(Call call) {
    synchronized (state) {
      fatal = fatal.or(() -> Optional.of(call));
    }
  }

  @SuppressWarnings("ReferenceEquality") // a proxy is equal to itself alone
  private Object ofObject(String method, Object proxy, Object[] arguments) {
    return switch (method) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "faulty " + tracked;
    };
  }
}
