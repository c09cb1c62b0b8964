package dev.tailwater.posix.testkit.fuse;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.EnumMap;
import java.util.Map;

/** The planned faults for the next requests of each kind. Thread-safe. */
final class RequestFaults {
  /** The request is executed without a fault. */
  private static final Planned FORWARD = new Planned(0, false, 0);

  @GuardedBy("this")
  private final Map<FuseRequest, Planned> planned = new EnumMap<>(FuseRequest.class);

  /**
   * A planned fault.
   *
   * @param errnoNumber the errno to answer with; 0 to execute the request
   * @param twice whether to execute the request twice and return the second answer
   * @param left the number of requests that the fault still applies to
   */
  record Planned(int errnoNumber, boolean twice, long left) {}

  /** Plans a fault; replaces the earlier plan for this kind of request. */
  synchronized void plan(FuseRequest request, Planned fault) {
    planned.put(request, fault);
  }

  /** Removes all planned faults. */
  synchronized void heal() {
    planned.clear();
  }

  /** Returns what happens to the next request of this kind, and counts it. */
  synchronized Planned next(FuseRequest request) {
    Planned fault = planned.getOrDefault(request, FORWARD);
    if (fault.left() == 0) {
      return FORWARD;
    }
    planned.put(request, new Planned(fault.errnoNumber(), fault.twice(), fault.left() - 1));
    return fault;
  }
}
