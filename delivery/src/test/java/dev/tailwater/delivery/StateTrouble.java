package dev.tailwater.delivery;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import java.io.IOException;
import java.nio.file.Path;

/** What befalls the writes to a state directory, and no other calls, as long as a test says. */
public final class StateTrouble implements FaultPlan {
  private static final long SLOW_SYNC_MILLIS = 150;

  private final Path state;
  private volatile Kind kind = Kind.NONE;

  /** What happens to writes. */
  public enum Kind {
    NONE,
    /** Each fails as on a full disk. */
    FULL,
    /** Each sync takes as long as on a disk that is busy. */
    SLOW_SYNCS
  }

  public StateTrouble(Path state) {
    this.state = state;
  }

  /** Sets what happens to writes from now on. */
  public void set(Kind now) {
    kind = now;
  }

  /** Returns whether writes fail now. */
  public boolean isFailing() {
    return kind == Kind.FULL;
  }

  @Override
  public Fault decide(Call call) {
    return switch (kind) {
      case NONE -> Fault.PROCEED;
      case FULL ->
          call.method().startsWith("pwrite") && isOfState(call)
              ? new Fault.Fail(Errno.ENOSPC)
              : Fault.PROCEED;
      case SLOW_SYNCS ->
          (call.is("fdatasync") || call.is("fsync")) && isOfState(call)
              ? new Fault.Delay(SLOW_SYNC_MILLIS)
              : Fault.PROCEED;
    };
  }

  private boolean isOfState(Call call) {
    try {
      return Path.of("/proc/self/fd/" + call.arguments().getFirst()).toRealPath().startsWith(state);
    } catch (IOException gone) {
      return false;
    }
  }
}
