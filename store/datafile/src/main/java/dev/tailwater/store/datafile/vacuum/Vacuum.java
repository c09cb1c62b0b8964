package dev.tailwater.store.datafile.vacuum;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
 * The reclaiming of the space of dead records: automatically in the background and at a bounded
 * rate when the files exceed their bound, and completely on request. One thread at a time works.
 * {@link VacuumPolicy} chooses the files, {@link FileVacuum} rewrites them.
 */
public final class Vacuum {
  private static final long RETRY_SECONDS = 30;

  private final VacuumOptions options;
  private final DataFiles files;
  private final Writer writer;
  private final Background background;
  private final FileVacuum work;

  @GuardedBy("lock")
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

  /**
   * Returns the configured rate; higher when the bound is exceeded, and unlimited from one whole
   * file on.
   */
  private double bytesPerSecond() {
    if (fullVacuum || excessFiles >= 1) {
      return Double.POSITIVE_INFINITY;
    }
    return options.bytesPerSecond() / (1 - Math.max(0, excessFiles));
  }

  /** Checks in the background whether there is anything to do. */
  public void wake() {
    if (options.automatic() && !limiter.isStopped() && !asked.getAndSet(true)) {
      if (!background.run(this::runWhileExceeded)) {
        asked.set(false);
      }
    }
  }

  private void runWhileExceeded() {
    if (writer.holdsAppendLock()) {
      // The executor runs tasks in the calling thread, which must not wait for readers.
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

  /** Returns false when there is nothing to do, or nothing can be done now. */
  @GuardedBy("lock")
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

  /** Rewrites neighbours; returns where one is damaged, which is then left as it is. */
  @GuardedBy("lock")
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

  /** As {@link #vacuum}; a full vacuum calls it with the lock held. */
  @SuppressWarnings("GuardedBy") // checked at run time
  private Optional<Damage> vacuumLocked(List<DataFile> run) throws IOException {
    if (!lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("the vacuum's lock is not held");
    }
    return vacuum(run);
  }

  private void retryLater() {
    Executor later =
        CompletableFuture.delayedExecutor(RETRY_SECONDS, TimeUnit.SECONDS, Runnable::run);
    later.execute(this::wake);
  }

  /**
   * Reclaims everything that is dead now, at full speed, in the calling thread.
   *
   * @throws IllegalStateException when the store is closed, also during the work
   */
  public VacuumResult all(VacuumProgress progress) throws IOException {
    lock.lock();
    try {
      limiter.check();
      fullVacuum = true;
      FullVacuum full = new FullVacuum(files, writer, choice, progress);
      return full.run(work.nowMillis(), this::vacuumLocked);
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

  /** Stops the vacuum, and waits until it has ended. Nothing starts afterwards. */
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
