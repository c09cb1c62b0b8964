package dev.tailwater.delivery.thread;

/** Makes threads that do not keep the process alive. */
@FunctionalInterface
public interface ThreadMaker {
  /** A thread that is not started. */
  Thread unstarted(String name, Runnable work);

  /** Threads of the operating system. */
  static ThreadMaker platform() {
    return (name, work) -> Thread.ofPlatform().name(name).daemon(true).unstarted(work);
  }
}
