package dev.tailwater.restore.place;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.attribute.AttributeReader;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.TestAttributes;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.TestTrees;
import dev.tailwater.restore.TestTrees.Directory;
import dev.tailwater.restore.attribute.OwnerChoice;
import dev.tailwater.restore.verify.CompareReport;
import dev.tailwater.restore.verify.CompareResult;
import dev.tailwater.restore.verify.DirectoryComparer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Extended attributes and ACLs come back, and are compared. */
class AttributesRestoreTest extends RestoreFixture {
  private static final String AGENT = "web-1";

  private static final byte[] ACL = TestAttributes.acl(7, 5);

  private final TestArchive archive = TestArchive.inMemory();
  private final TestTrees trees = new TestTrees(archive, AGENT, 5);
  private final ExtendedAttributes told =
      ExtendedAttributes.of(
          Map.of("user.origin", Bytes.text("backup"), ExtendedAttributes.ACCESS_ACL, ACL));
  private TestArchive.TestStream stream;

  @BeforeEach
  void deliver() throws IOException {
    Path probe = Files.createFile(scratch.resolve("probe"));
    TestAttributes.set(CALLS, probe, "user.origin", new byte[1]);
    TestAttributes.set(CALLS, probe, ExtendedAttributes.ACCESS_ACL, ACL);
    stream = archive.stream("/log/file", 1);
    stream.permissions = 0750;
    stream.segmentAt(0, Bytes.text("x"));
    Directory log = new Directory("/log").mode(0750);
    log.extended = ExtendedAttributes.of(Map.of(ExtendedAttributes.DEFAULT_ACL, ACL));
    trees.say(log).attributes(stream.id, told).deliver(true, 1_000);
  }

  private RestoreReport restore(FileCalls calls) throws IOException {
    return restore(
        calls, archive, RestoreOptions.of(TestArchive.options()).withExtendedAttributes(true));
  }

  private ExtendedAttributes attributes(String path) throws IOException {
    PosixPath place = PosixPath.of(target().resolve(path));
    try (Descriptor open = Descriptor.open(CALLS, FileCalls.AT_FDCWD, place, Set.of(), 0)) {
      return new AttributeReader(CALLS).read(open.fd());
    }
  }

  private CompareReport compare() throws IOException {
    return new DirectoryComparer(
            CALLS, archive.destination, TestArchive.options(), RestoreProgress.none())
        .withTree(OwnerChoice.NONE)
        .withExtendedAttributes(true)
        .compare(archive.index(TestArchive.options()), PosixPath.of(target()));
  }

  @Test
  void filesAndDirectoriesGetThemBackWithTheirModes() throws IOException {
    RestoreReport report = restore(CALLS);
    assertEquals(Outcome.DONE, report.outcome(), report.toString());
    assertEquals(told, attributes("log/file"));
    assertArrayEquals(ACL, attributes("log").value(ExtendedAttributes.DEFAULT_ACL));
    for (String path : new String[] {"log", "log/file"}) {
      assertEquals(0750, (int) Files.getAttribute(target().resolve(path), "unix:mode") & 07777);
    }
    assertEquals(Outcome.DONE, compare().outcome());
  }

  @Test
  void withoutBeingAskedNothingIsSet() throws IOException {
    restore(archive);
    assertTrue(attributes("log/file").isEmpty());
    CompareReport report = compare();
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(1, report.count(CompareResult.ATTRIBUTES_DIFFER));
    assertEquals(
        Optional.of("it has other extended attributes: system.posix_acl_access, user.origin"),
        report.streams().getFirst().attributes().difference());
    assertEquals(1, report.tree().differences().size());
  }

  @Test
  void aLaterStatementCountsAndALaterStreamOfTheFileHasItsAttributes() throws IOException {
    ExtendedAttributes later = ExtendedAttributes.of(Map.of("user.a", new byte[] {1}));
    trees.attributes(stream.id, later).deliver(false, 2_000);
    archive.new TestStream(AGENT, PosixPath.of("/log/truncated"), stream.id.withEpoch(3))
        .segmentAt(0, Bytes.text("y"));
    restore(CALLS);
    String former = "log/file.~" + stream.id.text();
    assertEquals(later, attributes(former));
    assertEquals(later, attributes("log/truncated"));
    trees.attributes(stream.id, ExtendedAttributes.NONE).deliver(false, 3_000);
    Files.delete(target().resolve(former));
    restore(CALLS);
    assertTrue(attributes(former).isEmpty());
  }

  @Test
  void whatCannotBeSetIsCountedAndTheFileIsThere() throws IOException {
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(CALLS, FaultPlan.failOnce("setAttribute", Errno.EOPNOTSUPP));
    RestoreReport report = restore(faulty.calls());
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(1, report.unsetAttributes().orElseThrow().refused());
    assertTrue(
        report.unsetAttributes().orElseThrow().firstRefusal().contains("EOPNOTSUPP"),
        report.toString());
    assertFile("log/file", Bytes.text("x"));
  }

  /** A run that was killed when the file had everything but its name. */
  private void killBeforeTheName() throws IOException {
    Files.createDirectories(target().resolve("log"));
    FaultyFileCalls killed =
        FaultyFileCalls.wrap(
            CALLS, FaultPlan.once(call -> call.is("rename"), new Fault.CrashBefore()));
    assertThrows(CrashError.class, () -> restore(killed.calls()));
    killed.kill();
    assertEquals(told, attributes(files().getFirst()));
  }

  @Test
  void aFileThatIsContinuedKeepsNoneThatIsNotToldAnyMore() throws IOException {
    killBeforeTheName();
    ExtendedAttributes later = ExtendedAttributes.of(Map.of("user.a", new byte[] {1}));
    trees.attributes(stream.id, later).deliver(false, 2_000);

    RestoreReport report = restore(CALLS);

    assertEquals(Outcome.DONE, report.outcome(), report.toString());
    assertEquals(later, attributes("log/file"));
  }

  @Test
  void aFileThatIsContinuedWithoutBeingAskedKeepsNone() throws IOException {
    killBeforeTheName();
    assertEquals(Outcome.DONE, restore(archive).outcome());
    assertTrue(attributes("log/file").isEmpty());
    assertEquals(0750, (int) Files.getAttribute(target().resolve("log/file"), "unix:mode") & 07777);
  }

  @Test
  void aFileThatIsContinuedWithoutBeingAskedKeepsTheAclOfNewFiles() throws IOException {
    killBeforeTheName();
    TestAttributes.set(CALLS, target().resolve("log"), ExtendedAttributes.DEFAULT_ACL, ACL);
    assertEquals(Outcome.DONE, restore(archive).outcome());
    assertEquals(Set.of(ExtendedAttributes.ACCESS_ACL), attributes("log/file").names());
  }

  @Test
  void attributesOfOtherNamespacesAreNeverSet() throws IOException {
    trees
        .attributes(
            stream.id,
            ExtendedAttributes.of(
                Map.of(
                    "trusted.overlay.opaque",
                    new byte[] {'y'},
                    "security.selinux",
                    new byte[] {'x'},
                    ExtendedAttributes.CAPABILITIES,
                    new byte[20])))
        .deliver(false, 2_000);
    FaultyFileCalls counting = FaultyFileCalls.wrap(CALLS, FaultPlan.none());
    restore(counting.calls());
    // Only the default ACL of the directory.
    assertEquals(1, counting.log().stream().filter("setAttribute"::equals).count());
  }
}
