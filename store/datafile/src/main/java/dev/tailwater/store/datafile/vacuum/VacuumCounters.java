package dev.tailwater.store.datafile.vacuum;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.store.VacuumStatistics;
import dev.tailwater.store.VacuumStatistics.Damage;
import dev.tailwater.store.datafile.file.DataFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The counters of a vacuum. Thread-safe. */
public final class VacuumCounters {
  @GuardedBy("this")
  private final List<Damage> damaged = new ArrayList<>();

  @GuardedBy("this")
  private boolean running;

  @GuardedBy("this")
  private long rewrittenFiles;

  @GuardedBy("this")
  private long readBytes;

  @GuardedBy("this")
  private long writtenBytes;

  @GuardedBy("this")
  private long failures;

  @GuardedBy("this")
  private Optional<String> lastFailure = Optional.empty();

  synchronized void begun() {
    running = true;
  }

  synchronized void finished() {
    running = false;
  }

  synchronized void replaced(List<DataFile> old, DataFile file) {
    rewrittenFiles += old.size();
    old.forEach(each -> readBytes += each.writtenBytes());
    writtenBytes += file.writtenBytes();
  }

  synchronized void failed(Throwable cause) {
    failures++;
    lastFailure = Optional.of(cause.toString());
  }

  synchronized void damaged(Damage damage) {
    damaged.add(damage);
  }

  synchronized VacuumStatistics statistics(long heldBytes) {
    return new VacuumStatistics(
        running,
        rewrittenFiles,
        readBytes,
        writtenBytes,
        heldBytes,
        failures,
        lastFailure,
        damaged);
  }
}
