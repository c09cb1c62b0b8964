package dev.tailwater.posix.testkit;

import dev.tailwater.posix.Errno;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * A plan that decides what happens to each call. {@link FaultyFileCalls} asks a plan about one call
 * at a time; the plans here may also be asked by several threads at once.
 */
@FunctionalInterface
public interface FaultPlan {
  /** Decides what happens to this call. */
  Fault decide(Call call);

  /** Returns a plan that asks the other plan about each call for which this plan has no fault. */
  default FaultPlan or(FaultPlan other) {
    return call -> {
      Fault fault = decide(call);
      return fault instanceof Fault.Proceed ? other.decide(call) : fault;
    };
  }

  /** Returns this plan limited to calls from this number on; earlier calls proceed. */
  default FaultPlan from(long callNumber) {
    return call -> call.number() >= callNumber ? decide(call) : Fault.PROCEED;
  }

  /** Returns a plan without faults. */
  static FaultPlan none() {
    return _ -> Fault.PROCEED;
  }

  /** Returns a plan with this fault for every call that matches the condition. */
  static FaultPlan when(Predicate<Call> condition, Fault fault) {
    return call -> condition.test(call) ? fault : Fault.PROCEED;
  }

  /** Returns a plan with this fault for the first call that matches the condition. */
  static FaultPlan once(Predicate<Call> condition, Fault fault) {
    AtomicBoolean done = new AtomicBoolean();
    return call -> condition.test(call) && done.compareAndSet(false, true) ? fault : Fault.PROCEED;
  }

  /** Returns a plan that crashes at this call, counted from 1, before it has any effect. */
  static FaultPlan crashAt(long callNumber) {
    return when(call -> call.number() == callNumber, new Fault.CrashBefore());
  }

  /** Returns a plan that crashes at this call, counted from 1, after it is done. */
  static FaultPlan crashAfter(long callNumber) {
    return when(call -> call.number() == callNumber, new Fault.CrashAfter());
  }

  /**
   * Returns a plan that crashes at this call, counted from 1, after it wrote at most this many
   * bytes.
   */
  static FaultPlan crashWithin(long callNumber, int maxBytes) {
    return when(call -> call.number() == callNumber, new Fault.CrashWithin(maxBytes));
  }

  /** Returns a plan that fails the call with this number, counted from 1. */
  static FaultPlan failAt(long callNumber, Errno errno) {
    return when(call -> call.number() == callNumber, new Fault.Fail(errno));
  }

  /** Returns a plan that fails the first call of this method. */
  static FaultPlan failOnce(String method, Errno errno) {
    return once(ofMethod(method), new Fault.Fail(errno));
  }

  /** Returns a plan that fails every call of this method. */
  static FaultPlan failAll(String method, Errno errno) {
    return when(ofMethod(method), new Fault.Fail(errno));
  }

  /** Returns a plan that limits every read and write to this many bytes. */
  static FaultPlan shortenAll(int maxBytes) {
    return when(_ -> true, new Fault.Shorten(maxBytes));
  }

  /** Returns a plan that limits every call of this method to this many bytes. */
  static FaultPlan shortenAll(String method, int maxBytes) {
    return when(ofMethod(method), new Fault.Shorten(maxBytes));
  }

  /** Returns a plan that delays every call of this method. */
  static FaultPlan delayAll(String method, long millis) {
    return when(ofMethod(method), new Fault.Delay(millis));
  }

  private static Predicate<Call> ofMethod(String method) {
    Methods.requireKnown(method);
    return call -> call.is(method);
  }
}
