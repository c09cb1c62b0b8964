package dev.tailwater.posix.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.Errno;
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
 * File calls with injected faults. Each call is counted and logged, and then a {@link FaultPlan}
 * decides what happens to it; without a fault, the real call is made.
 *
 * <p>A crash simulates the death of the process, as files see it. From the fatal call on, no call
 * has an effect, and each throws {@link CrashError}. {@link #kill} closes all descriptors that were
 * opened through this object, which releases their locks. Data that was written stays, as in the
 * page cache of a machine that survives the process.
 *
 * <p>Thread-safe. The plan is asked about one call at a time, in the order of the call numbers; the
 * calls themselves run concurrently, as they would without faults.
 */
public final class FaultyFileCalls {
  /** How often a blocked poll checks whether the process is still alive. */
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

  private volatile int mostDescriptors = Integer.MAX_VALUE;

  private FaultyFileCalls(FileCalls real, FaultPlan plan) {
    this.tracked = new TrackedCalls(real);
    this.plan = plan;
    this.calls =
        (FileCalls)
            Proxy.newProxyInstance(
                FileCalls.class.getClassLoader(), new Class<?>[] {FileCalls.class}, this::invoke);
  }

  /** Wraps file calls so that they fail as the plan says. */
  public static FaultyFileCalls wrap(FileCalls real, FaultPlan plan) {
    return new FaultyFileCalls(real, plan);
  }

  /**
   * Limits how many descriptors may be open at once, as RLIMIT_NOFILE does: further calls that open
   * one fail with EMFILE, whatever the plan says.
   */
  public FaultyFileCalls limitDescriptors(int most) {
    mostDescriptors = most;
    return this;
  }

  /** Returns the file calls to pass to the code under test. */
  public FileCalls calls() {
    return calls;
  }

  /** Returns the number of calls so far, including the one that crashed but none after it. */
  public long callCount() {
    synchronized (state) {
      return log.size();
    }
  }

  /** Returns the method names of these calls, in order. */
  public List<String> log() {
    synchronized (state) {
      return List.copyOf(log);
    }
  }

  /** Returns whether the process is dead, by the plan or by {@link #kill}. */
  public boolean crashed() {
    synchronized (state) {
      return fatal.isPresent();
    }
  }

  /** Returns the descriptors that were opened and not closed yet, in ascending order. */
  public List<Integer> openDescriptors() {
    return tracked.openDescriptors();
  }

  /**
   * Ends the process, if it is still alive: waits for calls in progress, then closes all
   * descriptors. Does nothing when called again.
   *
   * @throws ErrnoException the first exception of a real close; all descriptors are closed
   *     nevertheless
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
      pause(delay.millis());
    }
    return switch (method.getName()) {
      case "pollReadable" ->
          given.length == 2
              ? poll((int[]) given[0], 0, (int) given[1])
              : poll((int[]) given[0], (long) given[1], (int) given[2]);
      case "ioUringEnter" -> enter(method, given);
      default -> later(method, given);
    };
  }

  /** An interrupt ends the delay, and not the call: the kernel makes it all the same. */
  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Decision(Call call, Fault fault) {}

  private Decision decide(String method, Object[] arguments) {
    synchronized (state) {
      requireAlive();
      log.add(method);
      Call call = new Call(log.size(), method, List.of(arguments));
      boolean tooMany = Methods.opens(method) && tracked.openCount() >= mostDescriptors;
      Fault fault = tooMany ? new Fault.Fail(Errno.EMFILE) : plan.decide(call);
      if (fault instanceof Fault.CrashBefore
          || fault instanceof Fault.CrashAfter
          || fault instanceof Fault.CrashWithin) {
        die(call);
      }
      return new Decision(call, fault);
    }
  }

  /**
   * Returns whether the call takes time. Such a call runs without the lock, so that {@link #kill}
   * need not wait for it.
   */
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
      return error; // it has no effect, and may wait forever
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
   * Enters a ring without blocking, and waits in a poll instead, which ends when the process dies:
   * the descriptor of a ring is readable when there is a completion. The wait ends at the first
   * completion, whatever number was requested, as if a signal had arrived.
   */
  private @Nullable Object enter(Method method, Object[] arguments) throws Throwable {
    Object taken = later(method, Methods.withoutWaiting(method.getName(), arguments));
    if ((int) arguments[2] > 0) {
      poll(new int[] {(int) arguments[0]}, 0, -1);
    }
    return taken;
  }

  /** Polls in slices, so that a poll without a timeout ends when the process dies. */
  private long poll(int[] fds, long exceptional, int timeoutMillis) throws ErrnoException {
    long startNanos = System.nanoTime();
    while (true) {
      long passedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
      long leftMillis =
          timeoutMillis < 0 ? POLL_SLICE_MILLIS : Math.max(0, timeoutMillis - passedMillis);
      long readable = pollOnce(fds, exceptional, (int) Math.min(leftMillis, POLL_SLICE_MILLIS));
      if (readable != 0 || leftMillis == 0) {
        return readable;
      }
    }
  }

  private long pollOnce(int[] fds, long exceptional, int timeoutMillis) throws ErrnoException {
    alive.readLock().lock();
    try {
      requireAlive();
      return tracked.pollReadable(fds, exceptional, timeoutMillis);
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
