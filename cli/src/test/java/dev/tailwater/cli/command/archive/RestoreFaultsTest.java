package dev.tailwater.cli.command.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.cli.report.AuthenticityText;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Authenticity;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.attribute.UnsetAttributes;
import dev.tailwater.restore.attribute.UnsetOwners;
import dev.tailwater.restore.list.ForeignObjects;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.TreeReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
    return failed(name, problem, RestoredStream.Obstacle.NONE);
  }

  private static RestoredStream failed(
      String name, String problem, RestoredStream.Obstacle obstacle) {
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
        Optional.of(problem),
        obstacle);
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
      streams.add(
          failed(
              "/logs/" + i,
              "not tried: pwrite: No space left on device",
              RestoredStream.Obstacle.STOPPED_RUN));
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

  private static RestoreReport report() {
    return new RestoreReport(
        List.of(),
        List.of(),
        Optional.empty(),
        new ForeignObjects(0, List.of()),
        Outcome.PARTIAL,
        Optional.of("the names of restored files may not survive a power cut: fsync: EIO"),
        Optional.of(new UnsetOwners(3, 0, Optional.of("/logs/a: chown: EPERM"))),
        Optional.of(new UnsetAttributes(1, "setxattr: EOPNOTSUPP")),
        Optional.of(new UnsetAttributes(2, "/logs/a: chmod: EPERM")),
        0,
        new TreeReport(0, 0, 0, 0, 0, 1, Optional.of("/logs/b: mkdir: EACCES"), List.of()));
  }

  /** The exit code alone would not tell. */
  @Test
  void whatIsWrongWithTheWholeRunIsSaid() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new RestoreFaults(new PrintStream(out, true, UTF_8)).printOthers(report());
    assertEquals(
        List.of(
            "the owner could not be set: of 3 files and directories; first: /logs/a: chown: EPERM."
                + " Hint: run as root",
            "1 extended attribute could not be set; first: setxattr: EOPNOTSUPP",
            "2 files, directories and links have another mode or time than in the archive; first:"
                + " /logs/a: chmod: EPERM. Hint: the file system may take none; restore to another"
                + " one",
            "the names of restored files may not survive a power cut: fsync: EIO",
            "1 directory or link could not be restored; first: /logs/b: mkdir: EACCES"),
        out.toString(UTF_8).lines().toList());
  }

  @Test
  void jsonTellsTheSame() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RestoreJson.print(
        report(),
        new AuthenticityText(Authenticity.unchecked()),
        false,
        new PrintStream(out, true, UTF_8));
    String json = out.toString(UTF_8).replaceAll("\n *", "").replace("\": ", "\":");
    for (String field :
        List.of(
            "\"problem\":\"the names of restored files may not survive a power cut: fsync: EIO\"",
            "\"unsetOwners\":{\"refused\":3,\"untold\":0,\"firstRefusal\":\"/logs/a: chown: EPERM\"}",
            "\"unsetAttributes\":{\"refused\":1,\"firstRefusal\":\"setxattr: EOPNOTSUPP\"}",
            "\"unsetModes\":{\"refused\":2,\"firstRefusal\":\"/logs/a: chmod: EPERM\"}",
            "\"failed\":1,\"firstFailure\":\"/logs/b: mkdir: EACCES\"}")) {
      assertTrue(json.contains(field), json);
    }
  }
}
