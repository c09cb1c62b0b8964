package dev.tailwater.destination.testkit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * A function that decides the fault of each call. It runs on the calling thread, so several threads
 * may call it at once, and a plan that waits delays only its own call.
 */
@FunctionalInterface
public interface DestinationFaultPlan {
  DestinationFault decide(DestinationCall call);

  /** Returns a plan that asks the other plan if this one lets a call proceed. */
  default DestinationFaultPlan or(DestinationFaultPlan other) {
    return call -> {
      DestinationFault fault = decide(call);
      return fault == DestinationFault.PROCEED ? other.decide(call) : fault;
    };
  }

  /** Returns a plan without faults. */
  static DestinationFaultPlan none() {
    return _ -> DestinationFault.PROCEED;
  }

  /** Returns a plan with the fault for every call that matches the condition. */
  static DestinationFaultPlan when(Predicate<DestinationCall> condition, DestinationFault fault) {
    return call -> condition.test(call) ? fault : DestinationFault.PROCEED;
  }

  /** Returns a plan with the fault for the first call that matches the condition. */
  static DestinationFaultPlan once(Predicate<DestinationCall> condition, DestinationFault fault) {
    AtomicBoolean done = new AtomicBoolean();
    return call ->
        !done.get() && condition.test(call) && done.compareAndSet(false, true)
            ? fault
            : DestinationFault.PROCEED;
  }

  /** Returns a plan with the fault for the call of the given number, counted from 1. */
  static DestinationFaultPlan at(long callNumber, DestinationFault fault) {
    return when(call -> call.number() == callNumber, fault);
  }

  /** Returns a plan with the fault for the first call of the method. */
  static DestinationFaultPlan once(String method, DestinationFault fault) {
    return once(ofMethod(method), fault);
  }

  /** Returns a plan with the fault for every call of the method. */
  static DestinationFaultPlan all(String method, DestinationFault fault) {
    return when(ofMethod(method), fault);
  }

  private static Predicate<DestinationCall> ofMethod(String method) {
    if (!DestinationCall.METHODS.contains(method)) {
      // A test with such a plan could not fail.
      throw new IllegalArgumentException("no method of a destination: " + method);
    }
    return call -> call.is(method);
  }
}
