package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.TestArchive.TestStream;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Selection;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.Restorer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * A file that was truncated and has another path since: what it held before is not at the old one.
 */
class SupersededStreamsTest extends RestoreFixture {
  private static final PosixPath LOG = PosixPath.of("/log");
  private final TestArchive archive = TestArchive.inMemory();

  private TestStream version(int file, int epoch, String text) throws IOException {
    TestStream stream = archive.stream("web-1", LOG, file, epoch);
    stream.arrivalNanos = OptionalLong.of(10L * file + epoch);
    stream.segmentAt(0, Bytes.text(text));
    return stream;
  }

  private static void end(TestStream stream, StreamRecord.EndReason reason, int size)
      throws IOException {
    stream.record(LOG, size, Optional.of(new StreamRecord.End(reason, size, 1_700_000_100_000L)));
  }

  /** Delivers a file that is truncated and gets another path, which it may have beside the old. */
  private TestStream truncatedAndMoved() throws IOException {
    TestStream before = version(5, 0, "old");
    end(before, StreamRecord.EndReason.TRUNCATED, 3);
    TestStream after = version(5, 1, "NEW");
    after.arrivalNanos = OptionalLong.of(60);
    after.renamed("/second", 3);
    return before;
  }

  @Test
  void whatAFileHeldBeforeItWasTruncatedDoesNotGetThePathThatItMayHaveKept() throws IOException {
    TestStream before = truncatedAndMoved();

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertEquals(List.of("log.~" + before.id, "second"), files());
    assertFile("second", Bytes.text("NEW"));
  }

  @Test
  void noFileThatWasThereBeforeGetsThePathEither() throws IOException {
    TestStream deleted = version(1, 0, "of a file before");
    end(deleted, StreamRecord.EndReason.DELETED, 16);
    TestStream before = truncatedAndMoved();

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertEquals(List.of("log.~" + deleted.id, "log.~" + before.id, "second"), files());
  }

  @Test
  void aFileThatCameThereSinceGetsThePath() throws IOException {
    TestStream before = truncatedAndMoved();
    version(7, 0, "next");

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("log", Bytes.text("next"));
    assertFile("log.~" + before.id, Bytes.text("old"));
  }

  @Test
  void aSelectionThatLeavesOutWhereTheFileIsNowGivesTheSameNames() throws IOException {
    TestStream before = truncatedAndMoved();
    Selection selection = Selection.everything().only(List.of("/log"));
    ReadOptions reading = TestArchive.options();
    ArchiveIndex index =
        ArchiveIndex.load(archive.destination, selection, reading, RestoreProgress.none());

    new Restorer(CALLS, archive.destination, RestoreOptions.of(reading), RestoreProgress.none())
        .restore(index, PosixPath.of(target()));

    assertEquals(List.of("log.~" + before.id), files());
  }

  /** As of an agent that has lost its state and goes by a clock that was set back. */
  @Test
  void whatAFileHoldsGetsThePathThoughItIsToldToHaveComeEarlier() throws IOException {
    TestStream other = version(3, 0, "other");
    TestStream before = version(5, 0, "old");
    end(before, StreamRecord.EndReason.TRUNCATED, 3);
    TestStream after = archive.stream("web-1", LOG, 5, 1);
    after.arrivalNanos = OptionalLong.of(20);
    after.segmentAt(0, Bytes.text("NEW"));

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("log", Bytes.text("NEW"));
    assertFile("log.~" + before.id, Bytes.text("old"));
    assertFile("log.~" + other.id, Bytes.text("other"));
  }

  @Test
  void aTruncatedFileOfWhichNothingCameSinceKeepsItsPath() throws IOException {
    end(version(5, 0, "old"), StreamRecord.EndReason.TRUNCATED, 3);

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("log", Bytes.text("old"));
  }

  @Test
  void theLastVersionOfAFileThatWasDeletedKeepsItsPath() throws IOException {
    TestStream before = version(5, 0, "old");
    end(before, StreamRecord.EndReason.TRUNCATED, 3);
    end(version(5, 1, "NEW"), StreamRecord.EndReason.DELETED, 3);

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("log", Bytes.text("NEW"));
    assertFile("log.~" + before.id, Bytes.text("old"));
    assertFalse(Files.exists(target().resolve("second")));
  }
}
