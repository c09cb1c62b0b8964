package dev.tailwater.delivery.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.pack.TreeStatement;
import dev.tailwater.delivery.tail.OwnerNames;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.attribute.AttributeReader;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeSurveyTest {
  private final FileCalls calls = LinuxFileCalls.create();
  @TempDir private Path base;
  private Path root = Path.of("");
  private final Map<PosixPath, List<DirectoryStatement.FurtherName>> further =
      new LinkedHashMap<>();

  /** Far behind all change times, so that none of them is too recent. */
  private long nowNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() + 3_600_000);

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectory(base.toRealPath().resolve("root"));
  }

  private TreeSurvey survey(FileCalls with) {
    return survey(with, path -> path);
  }

  private TreeSurvey survey(FileCalls with, UnaryOperator<PosixPath> archived) {
    DirectoryReader reader =
        new DirectoryReader(
            with,
            OwnerNames.idsOnly(),
            path -> !path.fileName().toString().equals("excluded"),
            path -> !path.fileName().toString().endsWith(".skip"),
            Optional.of(new AttributeReader(with)));
    return new TreeSurvey(with, List.of(PosixPath.of(root)), reader, _ -> false, archived);
  }

  private List<String> pass(TreeSurvey survey, TreeSurvey.Depth depth)
      throws IOException, InterruptedException {
    List<String> said = new ArrayList<>();
    survey.pass(depth, further, nowNanos, statement -> said.add(text(statement)));
    return said;
  }

  private String text(TreeStatement told) {
    DirectoryStatement statement = (DirectoryStatement) told;
    String path = base.relativize(statement.path().toPath().toAbsolutePath()).toString();
    path = path.substring(path.indexOf("root"));
    if (statement.there().isEmpty()) {
      return path + " gone";
    }
    DirectoryStatement.Contents there = statement.there().get();
    return path
        + " "
        + Integer.toOctalString(there.attributes().permissions())
        + " "
        + there.directories()
        + " "
        + there.links().stream().map(link -> link.name() + "->" + link.target()).toList()
        + " "
        + there.furtherNames().stream().map(name -> name.name().toString()).toList();
  }

  private void mode(Path path, String text) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(text));
  }

  @Test
  void tellsDirectoriesAndLinksAndNoFiles() throws Exception {
    Files.createDirectories(root.resolve("b/deep"));
    Files.createDirectory(root.resolve("a"));
    Files.createDirectories(root.resolve("excluded/inside"));
    Files.writeString(root.resolve("file"), "x");
    Files.createSymbolicLink(root.resolve("up"), Path.of("../../elsewhere"));
    Files.createSymbolicLink(root.resolve("not.skip"), Path.of("x"));
    mode(root, "rwxr-x--x");
    mode(root.resolve("b"), "rwx------");
    assertEquals(
        List.of(
            "root 751 [a, b] [up->../../elsewhere] []",
            "root/a 755 [] [] []",
            "root/b 700 [deep] [] []",
            "root/b/deep 755 [] [] []"),
        pass(survey(calls), TreeSurvey.Depth.ALL).stream().sorted().toList());
  }

  @Test
  void passesOverADirectoryWhosePathNoArchiveTakes() throws Exception {
    Files.createDirectories(root.resolve("a/deep"));
    Files.createDirectory(root.resolve("b"));
    PosixPath tooLong = PosixPath.of("/" + "x".repeat(4096));
    TreeSurvey survey =
        survey(calls, path -> path.fileName().toString().equals("deep") ? tooLong : path);
    assertEquals(
        List.of("root 755 [a, b] [] []", "root/a 755 [deep] [] []", "root/b 755 [] [] []"),
        pass(survey, TreeSurvey.Depth.ALL).stream().sorted().toList());
    assertEquals(1, survey.unreadable());
  }

  /** The watch says that nothing below it is shipped, and this would say something else. */
  @Test
  void leavesItToTheWatchToSayThatAPathIsTooLong() throws Exception {
    String name = "d".repeat(250);
    String make = "cd \"$0\" && for i in $(seq 17); do mkdir \"$1\" && cd -P \"$1\"; done";
    try {
      assertEquals(0, run("sh", "-c", make, root.toString(), name));
      TreeSurvey survey = survey(calls);
      assertEquals(1 + 16, pass(survey, TreeSurvey.Depth.ALL).size());
      assertEquals(0, survey.unreadable());
    } finally {
      assertEquals(0, run("rm", "-rf", root.resolve(name).toString()));
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  @Test
  void saysAgainOnlyWhatHasChanged() throws Exception {
    Files.createDirectories(root.resolve("a/deep"));
    TreeSurvey survey = survey(calls);
    assertEquals(3, pass(survey, TreeSurvey.Depth.CHANGES).size());
    assertEquals(List.of(), pass(survey, TreeSurvey.Depth.CHANGES));
    long digest = survey.digest();

    mode(root.resolve("a/deep"), "rwxrwxrwx");
    assertEquals(List.of("root/a/deep 777 [] [] []"), pass(survey, TreeSurvey.Depth.CHANGES));
    assertNotEquals(digest, survey.digest());

    Files.move(root.resolve("a/deep"), root.resolve("moved"));
    assertEquals(
        List.of("root 755 [a, moved] [] []", "root/a 755 [] [] []", "root/moved 777 [] [] []"),
        pass(survey, TreeSurvey.Depth.CHANGES).stream().sorted().toList());

    Files.createSymbolicLink(root.resolve("a/link"), Path.of("one"));
    assertEquals(List.of("root/a 755 [] [link->one] []"), pass(survey, TreeSurvey.Depth.CHANGES));
    Files.delete(root.resolve("a/link"));
    Files.createSymbolicLink(root.resolve("a/link"), Path.of("two"));
    assertEquals(List.of("root/a 755 [] [link->two] []"), pass(survey, TreeSurvey.Depth.CHANGES));
  }

  @Test
  void aTimeAloneIsToldAtTheEndOrAfterAWhile() throws Exception {
    TreeSurvey survey = survey(calls);
    pass(survey, TreeSurvey.Depth.CHANGES);
    Files.setLastModifiedTime(root, FileTime.fromMillis(1_000));
    assertEquals(0, pass(survey, TreeSurvey.Depth.CHANGES).size());
    assertEquals(1, pass(survey, TreeSurvey.Depth.LAST).size());
    Files.setLastModifiedTime(root, FileTime.fromMillis(2_000));
    assertEquals(0, pass(survey, TreeSurvey.Depth.CHANGES).size());
    nowNanos += TreeSurvey.TIME_WAITS_NANOS;
    assertEquals(1, pass(survey, TreeSurvey.Depth.CHANGES).size());
    assertEquals(0, pass(survey, TreeSurvey.Depth.LAST).size());
  }

  @Test
  void aRootThatIsGoneIsSaidOnceAndOneThatIsAFileIsNothing() throws Exception {
    TreeSurvey survey = survey(calls);
    pass(survey, TreeSurvey.Depth.ALL);
    Files.delete(root);
    assertEquals(List.of("root gone"), pass(survey, TreeSurvey.Depth.CHANGES));
    assertEquals(List.of(), pass(survey, TreeSurvey.Depth.CHANGES));
    Files.writeString(root, "a file");
    assertEquals(List.of(), pass(survey, TreeSurvey.Depth.ALL));
    assertEquals(0, survey.directories());
  }

  @Test
  void anUnchangedDirectoryCostsOneCallForEachThatHasNoneInside() throws Exception {
    for (int i = 0; i < 100; i++) {
      Path directory = Files.createDirectory(root.resolve("d" + i));
      for (int j = 0; j < 20; j++) {
        Files.createFile(directory.resolve("f" + j));
      }
    }
    FaultyFileCalls counting = FaultyFileCalls.wrap(calls, FaultPlan.none());
    TreeSurvey survey = survey(counting.calls());
    pass(survey, TreeSurvey.Depth.ALL);
    long before = counting.callCount();
    pass(survey, TreeSurvey.Depth.CHANGES);
    long calledAgain = counting.callCount() - before;
    assertTrue(calledAgain <= 110, calledAgain + " calls");
  }

  @Test
  void whatChangedInTheMomentOfItsListingIsListedAgain() throws Exception {
    nowNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    FaultyFileCalls counting = FaultyFileCalls.wrap(calls, FaultPlan.none());
    TreeSurvey survey = survey(counting.calls());
    pass(survey, TreeSurvey.Depth.ALL);
    long before = listings(counting);
    pass(survey, TreeSurvey.Depth.CHANGES);
    assertEquals(before + 1, listings(counting));
  }

  private static long listings(FaultyFileCalls counting) {
    return counting.log().stream().filter(call -> call.startsWith("entries")).count();
  }

  @Test
  void furtherNamesAreToldWhenTheyChange() throws Exception {
    Files.writeString(root.resolve("first"), "x");
    TreeSurvey survey = survey(calls);
    pass(survey, TreeSurvey.Depth.ALL);
    PosixPath first = PosixPath.of(root.resolve("first"));
    for (long inode = 1; inode <= 2; inode++) { // Another file may get the same names.
      further.put(
          PosixPath.of(root),
          List.of(
              new DirectoryStatement.FurtherName(
                  PosixPath.of("second"), first, Optional.of(fileId(inode)))));
      assertEquals(List.of("root 755 [] [] [second]"), pass(survey, TreeSurvey.Depth.CHANGES));
      assertEquals(List.of(), pass(survey, TreeSurvey.Depth.CHANGES));
    }
  }

  private static StreamId fileId(long inode) {
    FileIdentity file = new FileIdentity(1, inode, OptionalLong.empty(), OptionalLong.empty());
    return StreamId.of("agent", file, 0);
  }
}
