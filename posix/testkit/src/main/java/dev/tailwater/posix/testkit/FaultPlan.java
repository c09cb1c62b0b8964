package dev.tailwater.posix.testkit;

import dev.tailwater.posix.Errno;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Decides for each call what becomes of it. Asked by many threads at once when the code under test
 * has many; the plans here are made for that.
 */
@FunctionalInterface
public interface FaultPlan {
  /** What becomes of this call. */
  Fault decide(Call call);

  /** This plan, and where it lets a call proceed, the other one. */
  default FaultPlan or(FaultPlan other) {
    return call -> {
      Fault fault = decide(call);
      return fault instanceof Fault.Proceed ? other.decide(call) : fault;
    };
  }

  /** This plan from that call on; the calls before it proceed. */
  default FaultPlan from(long callNumber) {
    return call -> call.number() >= callNumber ? decide(call) : Fault.PROCEED;
  }

  /** Every call proceeds. */
  static FaultPlan none() {
    return _ -> Fault.PROCEED;
  }

  /** That fault for the calls that the condition holds for. */
  static FaultPlan when(Predicate<Call> condition, Fault fault) {
    return call -> condition.test(call) ? fault : Fault.PROCEED;
  }

  /** That fault for the first call that the condition holds for. */
  static FaultPlan once(Predicate<Call> condition, Fault fault) {
    AtomicBoolean done = new AtomicBoolean();
    return call -> condition.test(call) && done.compareAndSet(false, true) ? fault : Fault.PROCEED;
  }

  /** Dies at that call, counted from 1, before it has any effect. */
  static FaultPlan crashAt(long callNumber) {
    return when(call -> call.number() == callNumber, new Fault.CrashBefore());
  }

  /** Dies at that call, counted from 1, when it is done. */
  static FaultPlan crashAfter(long callNumber) {
    return when(call -> call.number() == callNumber, new Fault.CrashAfter());
  }

  /** Dies at that call, counted from 1, when at most that many bytes of it are written. */
  static FaultPlan crashWithin(long callNumber, int maxBytes) {
    return when(call -> call.number() == callNumber, new Fault.CrashWithin(maxBytes));
  }

  /** The call of that number, counted from 1, fails. */
  static FaultPlan failAt(long callNumber, Errno errno) {
    return when(call -> call.number() == callNumber, new Fault.Fail(errno));
  }

  /** The first call of that method fails. */
  static FaultPlan failOnce(String method, Errno errno) {
    return once(ofMethod(method), new Fault.Fail(errno));
  }

  /** Every call of that method fails. */
  static FaultPlan failAll(String method, Errno errno) {
    return when(ofMethod(method), new Fault.Fail(errno));
  }

  /** Every read and write transfers at most that many bytes. */
  static FaultPlan shortenAll(int maxBytes) {
    return when(_ -> true, new Fault.Shorten(maxBytes));
  }

  /** Every call of that method transfers at most that many bytes. */
  static FaultPlan shortenAll(String method, int maxBytes) {
    return when(ofMethod(method), new Fault.Shorten(maxBytes));
  }

  /** Every call of that method is made that much later. */
  static FaultPlan delayAll(String method, long millis) {
    return when(ofMethod(method), new Fault.Delay(millis));
  }

  private static Predicate<Call> ofMethod(String method) {
    Methods.requireKnown(method);
    return call -> call.is(method);
  }
}
