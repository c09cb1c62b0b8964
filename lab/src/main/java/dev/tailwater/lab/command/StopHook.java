package dev.tailwater.lab.command;

import dev.tailwater.cli.value.Printable;
import dev.tailwater.lab.LabScratch;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A shutdown hook that ends the run of the thread that created it: it interrupts the thread and
 * removes what was written. If the thread does not end by itself, the hook kills the processes that
 * the thread started; not earlier, because one of them may be unmounting a file system.
 */
final class StopHook implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 6;

  private final PrintStream err;
  private final LabScratch scratch;
  private final Thread runner = Thread.currentThread();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop);
  private volatile boolean stopping;

  StopHook(PrintStream err, LabScratch scratch) {
    this.err = err;
    this.scratch = scratch;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  boolean isStopping() {
    return stopping;
  }

  private void stop() {
    stopping = true;
    runner.interrupt();
    try {
      boolean inTime = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (!inTime) {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        inTime = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      scratch.close();
      err.println(
          "tailwater: stopped; what the lab wrote is removed, and nothing is reported"
              + (inTime ? "" : " (an experiment did not end by itself)"));
    } catch (IOException e) {
      err.println(
          "tailwater: " + scratch.directory() + " could not be removed: " + Printable.line("" + e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Removes the hook; called when the run has ended and its directory is removed. */
  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending: the hook runs already, and finds nothing to do.
      return;
    }
  }
}
