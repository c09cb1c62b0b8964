package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.VacuumStatistics;
import dev.tailwater.store.VacuumStatistics.Damage;
import dev.tailwater.store.datafile.file.Background;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.write.Writer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reclaims the space of dead records: by itself, in the background and at a rate, when the files
 * are longer than they may be; or all of it when it is told to. One thread at a time works. {@link
 * VacuumPolicy} says on which files, {@link FileVacuum} does it.
 */
public final class Vacuum {
  private static final long RETRY_SECONDS = 30;

  private final VacuumOptions options;
  private final DataFiles files;
  private final Writer writer;
  private final Background background;
  private final FileVacuum work;
  private final VacuumPolicy choice;
  private final VacuumCounters counters;
  private final RateLimiter limiter;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile boolean fullVacuum;
  private volatile double excessFiles;

  public Vacuum(
      VacuumOptions options,
      long fileBytes,
      DataFiles files,
      Writer writer,
      Background background,
      VacuumCounters counters,
      FileVacuum work) {
    this.options = options;
    this.files = files;
    this.writer = writer;
    this.background = background;
    this.counters = counters;
    this.choice = new VacuumPolicy(options.maxSpaceAmplification(), fileBytes);
    this.limiter = new RateLimiter(this::bytesPerSecond);
    this.work = work;
  }

  /** As wanted; more when the bound is exceeded, and without limit from one whole file on. */
  private double bytesPerSecond() {
    if (fullVacuum || excessFiles >= 1) {
      return Double.POSITIVE_INFINITY;
    }
    return options.bytesPerSecond() / (1 - Math.max(0, excessFiles));
  }

  /** Looks in the background whether there is something to do: a file is full, or time has gone. */
  public void wake() {
    if (options.automatic() && !limiter.isStopped() && !asked.getAndSet(true)) {
      if (!background.run(this::runWhileExceeded)) {
        asked.set(false);
      }
    }
  }

  private void runWhileExceeded() {
    if (writer.holdsAppendLock()) {
      // The executor runs tasks in the thread that gives them, which must not wait for readers.
      asked.set(false);
      return;
    }
    lock.lock();
    try {
      asked.set(false);
      while (!limiter.isStopped() && vacuumNext()) {
        counters.finished();
      }
    } finally {
      counters.finished();
      lock.unlock();
    }
  }

  /** False when there is nothing to do, or nothing can be done now. */
  private boolean vacuumNext() {
    List<DataFile> sealed = files.sealed();
    long now = work.nowMillis();
    excessFiles = choice.excessFiles(sealed, now);
    if (excessFiles <= 0) {
      return false;
    }
    List<DataFile> run = choice.next(sealed, now);
    if (run.isEmpty()) {
      return false;
    }
    try {
      vacuum(run);
      return true;
    } catch (VacuumStoppedException closing) {
      return false;
    } catch (IOException | RuntimeException failed) {
      counters.failed(failed);
      if (!(failed instanceof StoreFailedException)) {
        retryLater();
      }
      return false;
    }
  }

  /** Rewrites neighbours; says where one is damaged, which is known then and left as it is. */
  private Optional<Damage> vacuum(List<DataFile> run) throws IOException {
    counters.begun();
    Optional<Damage> damage = work.vacuum(run, files.sealed(), limiter);
    if (damage.isEmpty()) {
      choice.swept(run);
    } else {
      counters.damaged(damage.get());
    }
    return damage;
  }

  private void retryLater() {
    Executor later =
        CompletableFuture.delayedExecutor(RETRY_SECONDS, TimeUnit.SECONDS, Runnable::run);
    later.execute(this::wake);
  }

  /**
   * Reclaims everything that is dead now, as fast as it goes, in the calling thread.
   *
   * @throws IllegalStateException when the store is closed, also while this works
   */
  public VacuumResult all(VacuumProgress progress) throws IOException {
    lock.lock();
    try {
      limiter.check();
      fullVacuum = true;
      FullVacuum full = new FullVacuum(files, writer, choice, progress);
      return full.run(work.nowMillis(), this::vacuum);
    } catch (VacuumStoppedException closed) {
      throw new IllegalStateException("the store was closed", closed);
    } finally {
      fullVacuum = false;
      counters.finished();
      lock.unlock();
    }
  }

  public VacuumStatistics statistics() {
    return counters.statistics(files.heldBytes());
  }

  /** Stops what is under way, and waits for that. Nothing begins afterwards. */
  public void close() {
    limiter.stop();
    lock.lock();
    try {
      counters.finished();
    } finally {
      lock.unlock();
    }
  }
}
