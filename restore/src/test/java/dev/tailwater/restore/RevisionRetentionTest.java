package dev.tailwater.restore;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.read.IncompleteStreamException;
import dev.tailwater.restore.read.StreamPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Archives in which bytes that were replaced are not kept. */
class RevisionRetentionTest extends RestoreFixture {
  private final TestArchive archive = TestArchive.inMemory();
  private final TestPacks packs = new TestPacks(archive, "web-1", 1000, List.of());
  private final TestArchive.TestStream stream = archive.stream("/p/file", 1);

  /** When the three packs were sealed. */
  private final List<Long> sealedMillis = new ArrayList<>();

  @BeforeEach
  void rewriteAFile() throws IOException {
    stream.segmentAt(0, bytes("0123456789"));
    packs.at(archive.latestMillis() + 1000);
    deliver(packs.replace(stream, 2, bytes("bbbbbb"), 5));
    deliver(packs.replace(stream, 0, bytes("cccc"), 6));
    deliver(packs.replace(stream, 0, bytes("d"), 7));
  }

  private void deliver(TestPacks next) throws IOException {
    next.deliver();
    sealedMillis.add(next.latestMillis());
  }

  private void merge(long replacedByMillis) throws IOException {
    packs.merge(0, packs.count(), List.of(), true, replacedByMillis);
  }

  /** Checks what a moment's file is, and what of it is missing. */
  private void assertAt(long atMillis, String expected, List<ByteRange> missing)
      throws IOException {
    ReadOptions reading = TestArchive.options().withAtMillis(atMillis);
    Path place = scratch.resolve("at-" + atMillis);
    RestoredStream restored =
        only(
            new Restorer(
                    CALLS, archive.destination, RestoreOptions.of(reading), RestoreProgress.none())
                .restore(archive.index(reading), PosixPath.of(place)));
    assertEquals(missing, restored.missing());
    byte[] bytes = bytes(expected);
    for (ByteRange range : missing) {
      for (long i = range.startBytes(); i < range.endBytes(); i++) {
        bytes[(int) i] = 0;
      }
    }
    assertArrayEquals(bytes, Files.readAllBytes(place.resolve("p/file")));
    long untold = restored.damages().stream().filter(d -> d.kind() == Damage.Kind.UNTOLD).count();
    assertEquals(missing.size(), untold);
  }

  @Test
  void theNewestBytesAreAllThere() throws IOException {
    merge(Long.MAX_VALUE);
    assertEquals(Outcome.DONE, restore(archive).outcome());
    assertFile("p/file", bytes("dcccbbbb89"));
    assertEquals(Outcome.DONE, verify(archive).outcome());
  }

  @Test
  void aMomentLacksExactlyWhatWasReplacedLater() throws IOException {
    merge(Long.MAX_VALUE);
    assertAt(sealedMillis.get(0) - 1, "0123456789", List.of());
    assertAt(sealedMillis.get(0), "01bbbbbb89", List.of(new ByteRange(2, 4)));
    assertAt(sealedMillis.get(1), "ccccbbbb89", List.of(new ByteRange(0, 1)));
    assertAt(sealedMillis.get(2), "dcccbbbb89", List.of());
  }

  @Test
  void whatWasReplacedLaterThanTheLimitIsKept() throws IOException {
    merge(sealedMillis.get(1));
    assertAt(sealedMillis.get(0), "01bbbbbb89", List.of(new ByteRange(2, 4)));
    assertAt(sealedMillis.get(1), "ccccbbbb89", List.of());
  }

  @Test
  void whatIsNotKeptIsSaidAfterEveryLaterMergeToo() throws IOException {
    merge(Long.MAX_VALUE);
    deliver(packs.replace(stream, 0, bytes("e"), 8));
    deliver(packs.replace(stream, 0, bytes("f"), 9));
    merge(Long.MAX_VALUE);
    assertAt(sealedMillis.get(0), "01bbbbbb89", List.of(new ByteRange(2, 4)));
    for (int moment = 1; moment < 4; moment++) {
      assertAt(sealedMillis.get(moment), "?cccbbbb89", List.of(new ByteRange(0, 1)));
    }
    assertAt(sealedMillis.get(4), "fcccbbbb89", List.of());
  }

  @Test
  void nothingIsPrintedOfWhatIsNotKept() throws IOException {
    merge(Long.MAX_VALUE);
    ReadOptions reading = TestArchive.options().withAtMillis(sealedMillis.get(0));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ArchivedStream found = archive.index(reading).find(stream.id.text()).orElseThrow();
    StreamPrinter printer = new StreamPrinter(archive.destination, reading, RestoreProgress.none());
    assertThrows(IncompleteStreamException.class, () -> printer.print(found, printed));
    assertEquals("01", printed.toString(US_ASCII));
  }
}
