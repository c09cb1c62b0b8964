package dev.tailwater.destination.testkit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Decides the fault of each call, on the calling thread, so several threads may call it at once. A
 * plan that waits delays only its own call.
 */
@FunctionalInterface
public interface DestinationFaultPlan {
  DestinationFault decide(DestinationCall call);

  /** This plan, and where it lets a call proceed, the other one. */
  default DestinationFaultPlan or(DestinationFaultPlan other) {
    return call -> {
      DestinationFault fault = decide(call);
      return fault == DestinationFault.PROCEED ? other.decide(call) : fault;
    };
  }

  /** Every call proceeds. */
  static DestinationFaultPlan none() {
    return _ -> DestinationFault.PROCEED;
  }

  /** That fault for every call that the condition holds for. */
  static DestinationFaultPlan when(Predicate<DestinationCall> condition, DestinationFault fault) {
    return call -> condition.test(call) ? fault : DestinationFault.PROCEED;
  }

  /** That fault for the first call that the condition holds for. */
  static DestinationFaultPlan once(Predicate<DestinationCall> condition, DestinationFault fault) {
    AtomicBoolean done = new AtomicBoolean();
    return call ->
        !done.get() && condition.test(call) && done.compareAndSet(false, true)
            ? fault
            : DestinationFault.PROCEED;
  }

  /** That fault for the call of that number, counted from 1. */
  static DestinationFaultPlan at(long callNumber, DestinationFault fault) {
    return when(call -> call.number() == callNumber, fault);
  }

  /** That fault for the first call of that method. */
  static DestinationFaultPlan once(String method, DestinationFault fault) {
    return once(ofMethod(method), fault);
  }

  /** That fault for every call of that method. */
  static DestinationFaultPlan all(String method, DestinationFault fault) {
    return when(ofMethod(method), fault);
  }

  private static Predicate<DestinationCall> ofMethod(String method) {
    if (!DestinationCall.METHODS.contains(method)) {
      // A plan for it would be a test that cannot fail.
      throw new IllegalArgumentException("no method of a destination: " + method);
    }
    return call -> call.is(method);
  }
}
