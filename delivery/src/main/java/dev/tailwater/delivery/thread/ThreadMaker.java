package dev.tailwater.delivery.thread;

/** Makes daemon threads. */
@FunctionalInterface
public interface ThreadMaker {
  /** Returns a thread that is not started. */
  Thread unstarted(String name, Runnable work);

  /** Returns a maker of platform threads. */
  static ThreadMaker platform() {
    return (name, work) -> Thread.ofPlatform().name(name).daemon(true).unstarted(work);
  }
}
