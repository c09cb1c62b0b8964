package dev.tailwater.cli.command.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

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

class RestoreSummaryTest {
  private static final StreamId STREAM =
      StreamId.of("web-1", new FileIdentity(1, 2, OptionalLong.empty(), OptionalLong.of(3)), 0);

  private static RestoreReport report(TreeReport tree, RestoreResult... results) {
    return report(tree, RestoredStream.Obstacle.NONE, results);
  }

  private static RestoreReport report(
      TreeReport tree, RestoredStream.Obstacle obstacle, RestoreResult... results) {
    List<RestoredStream> streams = new ArrayList<>();
    for (RestoreResult result : results) {
      PosixPath path = PosixPath.of("/logs/" + streams.size());
      streams.add(
          new RestoredStream(
              "web-1",
              STREAM,
              path,
              Optional.of(path),
              result,
              512,
              List.of(),
              List.of(),
              List.of(),
              Optional.empty(),
              obstacle));
    }
    return new RestoreReport(
        streams,
        List.of(),
        Optional.empty(),
        new ForeignObjects(0, List.of()),
        Outcome.DONE,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        tree);
  }

  private static TreeReport tree(long directories, long links) {
    return new TreeReport(directories, links, 0, 0, 0, 0, Optional.empty(), List.of());
  }

  private static List<String> lines(boolean isDryRun, RestoreReport report) {
    return lines(isDryRun, false, report);
  }

  private static List<String> lines(boolean isDryRun, boolean overwrites, RestoreReport report) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new RestoreSummary("/archive", isDryRun, overwrites)
        .print(report, new PrintStream(out, true, UTF_8));
    return out.toString(UTF_8).lines().toList();
  }

  @Test
  void countsOnlyResultsThatThereAre() {
    assertEquals(
        List.of("tailwater: restored 1 file, 2 already there, 3 directories, 1.5 KiB"),
        lines(
            false,
            report(
                tree(3, 0),
                RestoreResult.RESTORED,
                RestoreResult.ALREADY_THERE,
                RestoreResult.ALREADY_THERE)));
  }

  @Test
  void refusedFilesCanBeReplaced() {
    assertEquals(
        List.of(
            "tailwater: restored 0 files, 1 refused, 1 symbolic link, 512 B",
            "Hint: --overwrite replaces files that have other contents"),
        lines(
            false,
            report(tree(0, 1), RestoredStream.Obstacle.REPLACEABLE_FILE, RestoreResult.REFUSED)));
  }

  @Test
  void overwritingIsNoHintWhereItReplacesNothing() {
    assertEquals(
        List.of("tailwater: restored 0 files, 1 refused, 512 B"),
        lines(false, report(tree(0, 0), RestoreResult.REFUSED)));
  }

  /** What is refused nevertheless says itself what helps. */
  @Test
  void overwritingIsNoHintToThoseWhoOverwrite() {
    assertEquals(
        List.of("tailwater: restored 0 files, 1 refused, 512 B"),
        lines(
            false,
            true,
            report(tree(0, 0), RestoredStream.Obstacle.REPLACEABLE_FILE, RestoreResult.REFUSED)));
  }

  @Test
  void anArchiveWithoutFilesMayBeTheWrongOne() {
    assertEquals(
        List.of(
            "tailwater: dry run, nothing was changed: would restore 0 files, 0 B",
            "Hint: 'tailwater ls /archive' shows what is there"),
        lines(true, report(tree(0, 0))));
  }
}
