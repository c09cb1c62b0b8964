package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.Restorer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Restores into a directory with files, of which segments are merged after they were listed. */
class MergedMeanwhileTest extends RestoreFixture {
  private static final int LENGTH = 300_000;

  private final byte[] contents = Bytes.random(LENGTH, 7);
  private final TestArchive archive = TestArchive.inMemory();
  private final TestArchive.TestStream stream = archive.stream("/a", 1);
  private final RestoreOptions options = RestoreOptions.of(TestArchive.options());

  /** Returns what was listed before two of three segments became one. */
  private ArchiveIndex listedBefore() throws IOException {
    String first = stream.segment(contents, 0, 100_000);
    String second = stream.segment(contents, 100_000, 200_000);
    stream.segment(contents, 200_000, LENGTH);
    ArchiveIndex index = archive.index(options.reading());
    stream.segment(contents, 0, 200_000);
    archive.destination.delete(first);
    archive.destination.delete(second);
    return index;
  }

  private Restorer restorer() {
    return new Restorer(CALLS, archive.destination, options, RestoreProgress.none());
  }

  @Test
  void aFileThatIsThereIsComparedWithWhatTheSegmentsBecame() throws IOException {
    ArchiveIndex index = listedBefore();
    Files.createDirectories(target());
    Files.write(target().resolve("a"), contents);

    for (RestoreReport report :
        List.of(
            restorer().preview(index, PosixPath.of(target())),
            restorer().restore(index, PosixPath.of(target())))) {
      assertEquals(RestoreResult.ALREADY_THERE, only(report).result(), report.toString());
    }
  }

  @Test
  void aHoleWhereASegmentIsGoneForGoodIsNamed() throws IOException {
    stream.segment(contents, 0, 100_000);
    String gone = stream.segment(contents, 100_000, 200_000);
    stream.segment(contents, 200_000, LENGTH);
    ArchiveIndex index = archive.index(options.reading());
    archive.destination.delete(gone);
    Arrays.fill(contents, 100_000, 200_000, (byte) 0);
    Files.createDirectories(target());
    Files.write(target().resolve("a"), contents);

    RestoreReport report = restorer().restore(index, PosixPath.of(target()));

    assertEquals(RestoreResult.INCOMPLETE, only(report).result(), report.toString());
    assertEquals("[[100000, 200000)]", only(report).missing().toString());
    assertFile("a", contents);
  }

  @Test
  void aFileOfAKilledRunIsContinuedFromWhatTheSegmentsBecame() throws IOException {
    ArchiveIndex index = listedBefore();
    Files.createDirectories(target());
    FaultyFileCalls killed =
        FaultyFileCalls.wrap(
            CALLS, FaultPlan.once(call -> call.is("rename"), new Fault.CrashBefore()));
    assertThrows(CrashError.class, () -> restore(killed.calls(), archive, options));
    killed.kill();

    RestoreReport report = restorer().restore(index, PosixPath.of(target()));

    assertEquals(RestoreResult.RESTORED, only(report).result(), report.toString());
    assertFile("a", contents);
  }
}
