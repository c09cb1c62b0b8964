package dev.tailwater.delivery.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.pack.AttributeStatement;
import dev.tailwater.archive.pack.TreeStatement;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.delivery.watch.LookedAtFiles;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.attribute.AttributeReader;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.TestAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttributeSurveyTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();

  @TempDir private Path base;
  private final LookedAtFiles changed = new LookedAtFiles();
  private final List<WatchedFile> files = new ArrayList<>();

  @BeforeEach
  void requireAttributes() throws IOException {
    Path probe = Files.createFile(base.resolve("probe"));
    set(probe, "user.a", "1");
  }

  @AfterEach
  void closeFiles() throws IOException {
    for (WatchedFile file : files) {
      file.giveUpDescriptor();
    }
  }

  private static void set(Path file, String name, String value) throws IOException {
    TestAttributes.set(CALLS, file, name, value.getBytes(UTF_8));
  }

  private WatchedFile file(String name) throws IOException {
    PosixPath path = PosixPath.of(Files.createFile(base.toRealPath().resolve(name)));
    Descriptor open = Descriptor.open(CALLS, FileCalls.AT_FDCWD, path, Set.of(), 0);
    FileIdentity identity = FileIdentity.of(CALLS, open.fd());
    WatchedFile file = new WatchedFile(open, path, identity, new ArchivedNames(List.of()), _ -> {});
    files.add(file);
    changed.add(file);
    return file;
  }

  private AttributeSurvey survey(FileCalls calls) {
    return new AttributeSurvey(calls, "web-1", new AttributeReader(calls), changed);
  }

  /** Looks, and returns what is said, as the names of the attributes. */
  private static List<String> said(AttributeSurvey survey, boolean all)
      throws IOException, InterruptedException {
    survey.look();
    List<String> said = new ArrayList<>();
    survey.say(all, statement -> said.add(text(statement)));
    return said;
  }

  private static String text(TreeStatement statement) {
    return ((AttributeStatement) statement).attributes().toString();
  }

  @Test
  void saysWhatIsNewOrOtherAndThatAFileHasLostItsAttributes() throws Exception {
    WatchedFile with = file("with");
    set(with.name().toPath(), "user.b", "1");
    file("without");
    AttributeSurvey survey = survey(CALLS);
    assertEquals(List.of("[user.b]"), said(survey, false));
    long digest = survey.digest();
    changed.add(with);
    assertEquals(List.of(), said(survey, false));

    set(with.name().toPath(), "user.b", "2");
    changed.add(with);
    assertEquals(List.of("[user.b]"), said(survey, false));
    assertNotEquals(digest, survey.digest());
    assertEquals(List.of("[user.b]"), said(survey, true));

    Files.getFileAttributeView(with.name().toPath(), UserDefinedFileAttributeView.class)
        .delete("b");
    changed.add(with);
    assertEquals(List.of("[]"), said(survey, false));
    assertEquals(List.of(), said(survey, true));
    assertTrue(survey.isEmpty());
    assertTrue(survey.shortcoming().isEmpty());
  }

  @Test
  void aFileThatIsGoneIsForgottenAndNothingIsSaidOfIt() throws Exception {
    WatchedFile gone = file("gone");
    set(gone.name().toPath(), "user.b", "1");
    AttributeSurvey survey = survey(CALLS);
    assertEquals(List.of("[user.b]"), said(survey, true));
    changed.remove(gone);
    assertEquals(List.of(), said(survey, false));
    assertEquals(List.of(), said(survey, true));
    assertEquals(0, survey.digest());
  }

  @Test
  void aFileWithoutAttributesCostsOneCallAndOneThatDoesNotChangeNone() throws Exception {
    for (int i = 0; i < 20; i++) {
      file("f" + i);
    }
    FaultyFileCalls counting = FaultyFileCalls.wrap(CALLS, FaultPlan.none());
    AttributeSurvey survey = survey(counting.calls());
    assertEquals(List.of(), said(survey, true));
    assertEquals(20, counting.callCount());
    assertEquals(List.of(), said(survey, true));
    assertEquals(20, counting.callCount());
  }

  @Test
  void aClosedFileIsOpenedByItsNameUnlessThatLeadsToAnother() throws Exception {
    WatchedFile closed = file("closed");
    set(closed.name().toPath(), "user.b", "1");
    closed.giveUpDescriptor();
    AttributeSurvey survey = survey(CALLS);
    assertEquals(List.of("[user.b]"), said(survey, false));
    Files.delete(closed.name().toPath());
    Files.createFile(closed.name().toPath());
    changed.add(closed);
    assertEquals(List.of(), said(survey, false));
    Files.delete(closed.name().toPath());
    changed.add(closed);
    assertEquals(List.of(), said(survey, false));
    assertTrue(survey.shortcoming().isEmpty());
  }

  @Test
  void whatCannotBeReadIsSaidAndTriedAgain() throws Exception {
    WatchedFile file = file("file");
    set(file.name().toPath(), "user.b", "1");
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(CALLS, FaultPlan.failOnce("attributeNames", Errno.EIO));
    AttributeSurvey survey = survey(faulty.calls());
    assertEquals(List.of(), said(survey, false));
    assertEquals(
        "the extended attributes of 1 file cannot be read", survey.shortcoming().orElseThrow());
    assertEquals(List.of("[user.b]"), said(survey, false));
    assertTrue(survey.shortcoming().isEmpty());
  }

  @Test
  void thatAnAttributeIsLeftOutIsSaid() throws Exception {
    WatchedFile file = file("file");
    set(file.name().toPath(), "trusted.x", "1");
    AttributeSurvey survey = survey(CALLS);
    assertEquals(List.of(), said(survey, false));
    assertTrue(survey.shortcoming().orElseThrow().startsWith("some extended attributes of 1 file"));
  }
}
