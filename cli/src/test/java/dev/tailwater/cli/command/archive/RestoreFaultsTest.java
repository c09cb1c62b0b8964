package dev.tailwater.cli.command.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.list.ForeignObjects;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.TreeReport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RestoreFaultsTest {
  private static final StreamId STREAM =
      StreamId.of("web-1", new FileIdentity(1, 2, OptionalLong.empty(), OptionalLong.of(3)), 0);

  private static RestoredStream failed(String name, String problem) {
    PosixPath path = PosixPath.of(name);
    return new RestoredStream(
        "web-1",
        STREAM,
        path,
        Optional.of(path),
        RestoreResult.FAILED,
        0,
        List.of(),
        List.of(),
        List.of(),
        Optional.of(problem));
  }

  private static List<String> lines(List<RestoredStream> streams) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new RestoreFaults(new PrintStream(out, true, UTF_8)).printStreams(streams);
    return out.toString(UTF_8).lines().toList();
  }

  @Test
  void filesThatWereNotTriedAreCountedInOneLine() {
    List<RestoredStream> streams = new ArrayList<>();
    streams.add(failed("/logs/full", "pwrite: No space left on device"));
    for (int i = 0; i < 1500; i++) {
      streams.add(failed("/logs/" + i, "not tried: pwrite: No space left on device"));
    }
    List<String> lines = lines(streams);
    assertEquals(2, lines.size(), lines.toString());
    assertEquals("/logs/full: pwrite: No space left on device", lines.getFirst());
    assertTrue(
        lines
            .getLast()
            .startsWith(
                "1500 files were not tried: pwrite: No space left on device; first: /logs/0,"
                    + " /logs/1, /logs/2. Hint: "),
        lines.getLast());
  }

  @Test
  void otherProblemsHaveALineEach() {
    assertEquals(2, lines(List.of(failed("/a", "EIO"), failed("/b", "EIO"))).size());
  }

  /** The exit code alone would not tell. */
  @Test
  void whatIsWrongWithTheWholeRunIsSaid() {
    RestoreReport report =
        new RestoreReport(
            List.of(),
            List.of(),
            Optional.empty(),
            new ForeignObjects(0, List.of()),
            Outcome.PARTIAL,
            Optional.of("the names of restored files may not survive a power cut: fsync: EIO"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            TreeReport.NONE);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new RestoreFaults(new PrintStream(out, true, UTF_8)).printOthers(report);
    assertEquals(
        List.of("the names of restored files may not survive a power cut: fsync: EIO"),
        out.toString(UTF_8).lines().toList());
  }
}
