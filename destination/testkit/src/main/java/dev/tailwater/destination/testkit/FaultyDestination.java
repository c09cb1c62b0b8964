package dev.tailwater.destination.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.InterceptedDestination;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.testkit.CrashError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A real destination with injected faults. It counts and logs each call, and then injects the fault
 * that a {@link DestinationFaultPlan} decides. After a crash, every call throws {@link CrashError}
 * and has no effect; the wrapped destination remains usable for the next process.
 *
 * <p>Thread-safe if the wrapped one is.
 */
public final class FaultyDestination extends InterceptedDestination {
  private final DestinationFaultPlan plan;
  private final Object state = new Object();

  @GuardedBy("state")
  private final List<DestinationCall> log = new ArrayList<>();

  @GuardedBy("state")
  private Optional<DestinationCall> crash = Optional.empty();

  private FaultyDestination(Destination real, DestinationFaultPlan plan) {
    super(real);
    this.plan = plan;
  }

  public static FaultyDestination wrap(Destination real, DestinationFaultPlan plan) {
    return new FaultyDestination(real, plan);
  }

  /** Returns the calls so far, including the one that crashed but none after it. */
  public List<DestinationCall> log() {
    synchronized (state) {
      return List.copyOf(log);
    }
  }

  /** Returns the number of {@link #log} entries. */
  public long callCount() {
    synchronized (state) {
      return log.size();
    }
  }

  public boolean crashed() {
    synchronized (state) {
      return crash.isPresent();
    }
  }

  /**
   * Injects faults into each call except {@link #removeEmptyFolders}, {@link #close} and the close
   * of an upload that was committed.
   */
  @Override
  protected <T> T around(Operation operation, String key, Call<T> action)
      throws DestinationException {
    return switch (operation) {
      case REMOVE_EMPTY_FOLDERS, CLOSE_UPLOAD, CLOSE -> action.run();
      default -> call(operation.method(), key, action);
    };
  }

  private <T> T call(String method, String key, Call<T> action) throws DestinationException {
    DestinationCall call;
    synchronized (state) {
      if (crash.isPresent()) {
        throw crashError(crash.get());
      }
      call = new DestinationCall(log.size() + 1, method, key);
      log.add(call);
    }
    DestinationFault fault = plan.decide(call);
    return switch (fault) {
      case PROCEED -> action.run();
      case FAIL_TRANSIENT -> throw failTransient(call, "it was not done");
      case FAIL_PERMANENT ->
          throw new PermanentDestinationException(
              uri(), method, key, "planned permanent failure " + call.number(), "A test did this.");
      case FAIL_COLD ->
          throw new ColdObjectException(
              uri(), method, key, "it is in cold storage, by plan", "A test did this.");
      case LOSE_ANSWER -> {
        T unused = action.run();
        throw failTransient(call, "the answer " + unused + " was lost");
      }
      case CRASH_BEFORE -> throw die(call);
      case CRASH_AFTER -> {
        T unused = action.run();
        CrashError error = die(call);
        error.addSuppressed(new IllegalStateException("unseen answer: " + unused));
        throw error;
      }
    };
  }

  private TransientDestinationException failTransient(DestinationCall call, String what) {
    return new TransientDestinationException(
        uri(),
        call.method(),
        call.key(),
        "planned transient failure " + call.number() + ": " + what,
        "A test did this.");
  }

  private CrashError die(DestinationCall call) {
    synchronized (state) {
      if (crash.isEmpty()) {
        crash = Optional.of(call);
      }
    }
    return crashError(call);
  }

  private static CrashError crashError(DestinationCall call) {
    return new CrashError(call.method(), call.number());
  }
}
