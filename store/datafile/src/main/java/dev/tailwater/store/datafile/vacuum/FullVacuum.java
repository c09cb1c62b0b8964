package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.store.VacuumStatistics.Damage;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.write.Writer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A vacuum of all files, from the oldest to the one that was the newest when it began. */
final class FullVacuum {
  /** Rewrites neighbours. */
  @FunctionalInterface
  interface Step {
    /** Returns where one of them is damaged; empty when they were rewritten. */
    Optional<Damage> vacuum(List<DataFile> run) throws IOException;
  }

  private final DataFiles files;
  private final Writer writer;
  private final VacuumPolicy choice;
  private final VacuumProgress progress;

  FullVacuum(DataFiles files, Writer writer, VacuumPolicy choice, VacuumProgress progress) {
    this.files = files;
    this.writer = writer;
    this.choice = choice;
    this.progress = progress;
  }

  VacuumResult run(long nowMillis, Step step) throws IOException {
    long bytesBefore = bytes(files.inOrder());
    if (VacuumPolicy.holdsDead(files.inOrder().getLast(), nowMillis)) {
      writer.beginFile(); // so that the newest one can be vacuumed too
    }
    List<DataFile> sealed = files.sealed();
    long totalBytes = bytes(sealed);
    long doneBytes = 0;
    int rewritten = 0;
    int written = 0;
    List<Damage> damaged = new ArrayList<>();
    choice.beginSweep(sealed);
    List<DataFile> run = choice.sweep(sealed, nowMillis);
    while (!run.isEmpty()) {
      Optional<Damage> damage = step.vacuum(run);
      damage.ifPresent(damaged::add);
      if (damage.isEmpty()) {
        rewritten += run.size();
        written++;
        doneBytes = Math.min(totalBytes, doneBytes + bytes(run));
        progress.done(doneBytes, totalBytes);
      }
      run = choice.sweep(files.sealed(), nowMillis);
    }
    choice.endSweep();
    progress.done(totalBytes, totalBytes);
    return new VacuumResult(bytesBefore, bytes(files.inOrder()), rewritten, written, damaged);
  }

  private static long bytes(List<DataFile> files) {
    return files.stream().mapToLong(DataFile::writtenBytes).sum();
  }
}
