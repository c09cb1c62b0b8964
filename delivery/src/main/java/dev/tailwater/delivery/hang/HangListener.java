package dev.tailwater.delivery.hang;

/** Is told of calls that do not return, on the thread that looks for them; must be quick. */
@FunctionalInterface
public interface HangListener {
  /**
   * Called once for each such call, which does not return before this does; returns whether another
   * thread does what this one should.
   */
  boolean hangs(Thread thread);
}
