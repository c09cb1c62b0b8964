package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.store.VacuumStatistics;
import dev.tailwater.store.VacuumStatistics.Damage;
import dev.tailwater.store.datafile.file.DataFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a vacuum has done. Thread-safe. */
public final class VacuumCounters {
  private final List<Damage> damaged = new ArrayList<>();
  private boolean running;
  private long rewrittenFiles;
  private long readBytes;
  private long writtenBytes;
  private long failures;
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
