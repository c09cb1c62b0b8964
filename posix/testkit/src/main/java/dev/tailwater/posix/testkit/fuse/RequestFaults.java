package dev.tailwater.posix.testkit.fuse;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.EnumMap;
import java.util.Map;

/** What goes wrong with the next requests of a kind. Thread-safe. */
final class RequestFaults {
  /** Made as if nothing were there. */
  private static final Planned FORWARD = new Planned(0, false, 0);

  @GuardedBy("this")
  private final Map<FuseRequest, Planned> planned = new EnumMap<>(FuseRequest.class);

  /**
   * A fault.
   *
   * @param errnoNumber of the answer; 0: it is made
   * @param twice whether it is made twice and the second answer given
   * @param left for how many requests
   */
  record Planned(int errnoNumber, boolean twice, long left) {}

  /** From now on, instead of what was planned for that kind. */
  synchronized void plan(FuseRequest request, Planned fault) {
    planned.put(request, fault);
  }

  /** Nothing goes wrong any more. */
  synchronized void heal() {
    planned.clear();
  }

  /** What becomes of this one. */
  synchronized Planned next(FuseRequest request) {
    Planned fault = planned.getOrDefault(request, FORWARD);
    if (fault.left() == 0) {
      return FORWARD;
    }
    planned.put(request, new Planned(fault.errnoNumber(), fault.twice(), fault.left() - 1));
    return fault;
  }
}
