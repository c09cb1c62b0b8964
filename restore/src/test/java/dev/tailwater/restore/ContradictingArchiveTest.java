package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.restore.place.RestoreReport;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Segments of one stream that have different bytes for the same offsets. */
class ContradictingArchiveTest extends RestoreFixture {
  private final TestArchive archive = TestArchive.inMemory();

  @Test
  void restoreNamesOverlappingSegmentsThatDisagree() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segmentAt(0, Bytes.text("aaaaaa"));
    stream.segmentAt(3, Bytes.text("abaaaa"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    List<Damage> damages = only(report).damages();
    assertEquals(1, damages.size(), damages.toString());
    assertTrue(damages.getFirst().why().contains("from byte 3"), damages.toString());
    assertFile("a", Bytes.text("aaaaaaaaa"));
  }

  @Test
  void anArchiveThatWasRestoredBeforeIsComparedAgain() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segmentAt(0, Bytes.text("aaaaaa"));
    restore(archive);
    stream.segmentAt(3, Bytes.text("bbb"));

    assertEquals(Outcome.PARTIAL, restore(archive).outcome());
    assertFile("a", Bytes.text("aaaaaa"));
  }

  @Test
  void segmentsThatAgreeAreNoContradiction() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    byte[] contents = Bytes.random(10_000, 1);
    stream.segment(contents, 0, 4_000);
    stream.segment(contents, 2_000, 9_000);
    stream.segment(contents, 8_000, 10_000);
    stream.segment(contents, 3_000, 3_001);

    RestoreReport report = restore(archive);

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(List.of(), only(report).damages());
    assertFile("a", contents);
  }
}
