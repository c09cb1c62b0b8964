package dev.tailwater.it.conservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.delivery.TestAgent;
import dev.tailwater.destination.Destination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Selection;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file as it was when an agent said that all of it is delivered.
 *
 * @param atMillis that time; nothing was written to the file in that millisecond
 * @param stream the id of the stream that the file was at
 */
record Snapshot(
    ModelFile file,
    long atMillis,
    String stream,
    @SuppressWarnings("ArrayRecordComponent") byte[] bytes) {

  /** The archive as of that time has these bytes, or says which it cannot tell. */
  void check(Destination archive, Path target, ReadOptions latest) throws IOException {
    ReadOptions reading = latest.withAtMillis(atMillis);
    ArchiveIndex index =
        ArchiveIndex.load(archive, Selection.everything(), reading, RestoreProgress.none());
    RestoredStream restored =
        new Restorer(
                TestAgent.REAL_CALLS,
                archive,
                RestoreOptions.of(reading).withSync(false),
                RestoreProgress.none())
            .restore(index, PosixPath.of(target)).streams().stream()
                .filter(one -> one.stream().text().equals(stream))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing is there of " + this));
    boolean untold =
        restored.damages().stream().anyMatch(damage -> damage.kind() == Damage.Kind.UNTOLD);
    byte[] there =
        restored.target().isPresent()
            ? Files.readAllBytes(target.resolve(restored.target().get().toString()))
            : new byte[0];
    RangeSet missing = new RangeSet();
    restored.missing().forEach(missing::add);
    assertTrue(untold || missing.isEmpty(), () -> "nobody says why it is incomplete: " + restored);
    assertTrue(
        there.length <= bytes.length && (untold || there.length == bytes.length),
        () -> this + " has now " + there.length + " bytes: " + restored);
    for (int at = 0; at < there.length; at++) {
      if (there[at] != bytes[at]) {
        int differs = at;
        assertTrue(
            missing.contains(new ByteRange(at, at + 1)),
            () -> this + " has other bytes at " + differs + ": " + restored);
      }
    }
    assertEquals(untold, !restored.damages().isEmpty(), () -> "other damages: " + restored);
  }

  @Override
  public String toString() {
    return file + " of " + bytes.length + " bytes at " + atMillis + ", stream " + stream;
  }
}
