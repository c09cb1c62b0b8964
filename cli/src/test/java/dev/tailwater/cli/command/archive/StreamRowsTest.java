package dev.tailwater.cli.command.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Completeness;
import dev.tailwater.restore.list.Selection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/** With so many streams that several threads look at them. */
class StreamRowsTest {
  private static final String AGENT = "web-1";

  /** An archive that tells of streams of which nothing arrived, each one byte longer. */
  private static ArchiveIndex index(int streams) throws IOException {
    StringJoiner left = new StringJoiner(",", "[", "]");
    for (int i = 0; i < streams; i++) {
      FileIdentity identity =
          new FileIdentity(1, 1 + i, OptionalLong.empty(), OptionalLong.of(1L + i));
      String range = "{\"startBytes\":0,\"endBytes\":" + (1 + i) + "}";
      left.add(
          "{\"stream\":\""
              + StreamId.of(AGENT, identity, 0).text()
              + "\",\"path\":\""
              + path(i)
              + "\",\"ranges\":["
              + range
              + "]}");
    }
    String json =
        "{\"format\":1,\"agent\":\"" + AGENT + "\",\"atMillis\":1,\"streams\":" + left + "}";
    InMemoryDestination destination = InMemoryDestination.create();
    destination.putObject(ArchiveNames.lastDrain(AGENT), json.getBytes(StandardCharsets.UTF_8));
    return ArchiveIndex.load(
        destination, Selection.everything(), ReadOptions.defaults(), RestoreProgress.none());
  }

  private static PosixPath path(int number) {
    return PosixPath.of(String.format("/log/%05d", number));
  }

  @Test
  void tellsOfEachStreamInTheOrderOfTheArchive() throws IOException {
    int streams = 10_000;

    StreamRows found = StreamRows.of(index(streams), 3);

    assertEquals(streams, found.rows().size());
    for (int i = 0; i < streams; i++) {
      StreamRows.Row row = found.rows().get(i);
      assertEquals(path(i), row.path());
      assertEquals(row.stream().id().text(), row.id());
      assertEquals(1 + i, row.sizeBytes());
      assertEquals(0, row.coveredBytes());
      assertEquals(0, row.segments());
      assertEquals("live", row.state());
      assertEquals(new Completeness.Cut(0, 1 + i), row.completeness());
    }
    assertEquals(0, found.coveredBytes());
    assertEquals(0, found.storedBytes());
    assertFalse(found.complete());
    assertEquals(List.of(), found.untold());
    assertEquals(List.of(), found.contested());
  }

  @Test
  void isCompleteWhereNothingIsThere() throws IOException {
    StreamRows found = StreamRows.of(index(0), 3);

    assertEquals(List.of(), found.rows());
    assertTrue(found.complete());
  }
}
