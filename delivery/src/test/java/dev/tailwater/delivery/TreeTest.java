package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.AttributeStatement;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.TestAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real agent tells of directories, links and further names. */
class TreeTest {
  @TempDir Path base;
  private TestAgent.Place place;

  @BeforeEach
  void makePlace() throws IOException {
    place = new TestAgent.Place(base.toRealPath());
    Files.createDirectories(place.log("app/old"));
    Files.createSymbolicLink(place.log("app/latest"), Path.of("a.log"));
    Files.writeString(place.log("app/a.log"), "hello");
  }

  private AgentConfig config() {
    return place.config().toBuilder().directories(true).build();
  }

  private void run(AgentConfig config) throws Exception {
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(
          List.of(),
          agent.problems.stream()
              .filter(problem -> problem.subject().equals("directories"))
              .toList());
    }
  }

  private List<ToldTree> told() throws IOException {
    return ToldTree.read(place, List.of());
  }

  @Test
  void tellsTheWholeTreeAtFirstAndNothingAgainAfterARestart() throws Exception {
    run(config());
    List<ToldTree> first = told();
    assertEquals(1, first.size());
    assertTrue(first.getFirst().tree().whole());
    assertEquals(
        List.of(
            place.logs().toString(), place.log("app").toString(), place.log("app/old").toString()),
        first.getFirst().paths());
    DirectoryStatement.Contents app = first.getFirst().of(place.log("app"));
    assertEquals(PosixPath.of("a.log"), app.links().getFirst().target());
    assertEquals(
        (int) Files.getAttribute(base, "unix:uid"),
        app.attributes().owner().orElseThrow().userId());

    run(config());
    assertEquals(1, told().size());

    Files.createDirectory(place.log("new"));
    run(config());
    List<ToldTree> last = told();
    assertTrue(last.getLast().tree().whole());
    assertTrue(
        last.getLast().name().id().group().compareTo(first.getFirst().name().id().group()) > 0);
    assertTrue(last.getLast().paths().contains(place.log("new").toString()));
  }

  @Test
  void theDrainTellsWhatChangedSinceTheStart() throws Exception {
    try (TestAgent agent = TestAgent.start(place, config(), TestAgent.REAL_CALLS)) {
      TestAgent.await("the tree is told", () -> told().size() == 1);
      Files.createDirectory(place.log("app/later"));
      Files.delete(place.log("app/latest"));
      assertTrue(agent.drain().isComplete());
    }
    List<ToldTree> told = told();
    assertTrue(told.size() >= 2);
    assertFalse(told.getLast().tree().whole());
    DirectoryStatement.Contents app =
        told.reversed().stream()
            .filter(one -> one.paths().contains(place.log("app").toString()))
            .findFirst()
            .orElseThrow()
            .of(place.log("app"));
    assertTrue(app.directories().contains(PosixPath.of("later")));
    assertEquals(List.of(), app.links());
  }

  @Test
  void anAgentThatLostItsStateTellsEverythingInALaterGroupAndNeedsNoKey() throws Exception {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    AgentConfig config = config().toBuilder().recipients(List.of(keys.recipient())).build();
    run(config);
    try (var state = Files.walk(place.state())) {
      for (Path path : state.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
    run(config);
    List<ToldTree> told = ToldTree.read(place, List.of(keys.identity()));
    assertEquals(2, told.size());
    assertEquals(told.getFirst().paths(), told.getLast().paths());
    assertTrue(told.getLast().tree().whole());
  }

  /**
   * A run that died had told of a change that was taken back since. The tree is as the notes of the
   * run before say, but not as the archive tells last.
   */
  @Test
  void whatARunToldWithoutNotingItIsNotBelieved() throws Exception {
    Path app = place.log("app");
    Files.setAttribute(app, "unix:mode", 0755);
    run(config());
    Path notes = base.resolve("notes");
    place.copyState(notes);
    Files.setAttribute(app, "unix:mode", 0700);
    run(config());
    place.restoreState(notes);
    Files.setAttribute(app, "unix:mode", 0755);
    run(config());
    assertEquals(
        0755, ToldTree.of(ToldTree.last(told()), PosixPath.of(app)).attributes().permissions());
  }

  @Test
  void aPutThatFailsIsSaidAndEverythingIsToldUnderAnotherName() throws Exception {
    FaultyDestination faulty =
        FaultyDestination.wrap(
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            DestinationFaultPlan.once(
                call -> call.is("putSegment") && call.key().contains("~tree"),
                DestinationFault.LOSE_ANSWER));
    try (TestAgent agent = TestAgent.start(config(), faulty, TestAgent.REAL_CALLS)) {
      TestAgent.await("the refusal is said", () -> !agent.problems.isEmpty());
      assertEquals("directories", agent.problems.getFirst().subject());
      assertTrue(agent.drain().isComplete());
      assertFalse(agent.ended.isEmpty());
    }
    List<ToldTree> told = told();
    assertEquals(2, told.stream().map(one -> one.name().id().group()).distinct().count());
    assertTrue(told.getLast().tree().whole());
  }

  @Test
  void oneDirectoryThatCannotBeReadIsOne() throws Exception {
    FaultPlan plan =
        call ->
            call.method().equals("open")
                    && call.arguments().toString().contains("old")
                    && Thread.currentThread().getName().startsWith("tree")
                ? new Fault.Fail(Errno.EACCES)
                : Fault.PROCEED;
    FaultyFileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, plan);
    try (TestAgent agent = TestAgent.start(place, config(), calls.calls())) {
      TestAgent.await("it is said", () -> !agent.problems.isEmpty());
      assertEquals("1 directory cannot be read", agent.problems.getFirst().message());
    }
  }

  @Test
  void furtherNamesOfAFileAreToldInTheirDirectories() throws Exception {
    Files.createLink(place.log("app/b.log"), place.log("app/a.log"));
    Files.createLink(place.log("app/old/c.log"), place.log("app/a.log"));
    run(config());
    assertEquals(Collections.nCopies(2, fileId("app/a.log")), furtherNames());
  }

  /** The ids of the files of all further names, as they were told last. */
  private List<StreamId> furtherNames() throws IOException {
    return ToldTree.last(told()).values().stream()
        .flatMap(there -> there.furtherNames().stream())
        .map(further -> further.id().orElseThrow())
        .toList();
  }

  private StreamId fileId(String log) throws IOException {
    try (Descriptor open =
        Descriptor.openRegularFile(
            TestAgent.REAL_CALLS, FileCalls.AT_FDCWD, PosixPath.of(place.log(log)), Set.of())) {
      return StreamId.of(TestAgent.NAME, FileIdentity.of(TestAgent.REAL_CALLS, open.fd()), 0);
    }
  }

  /** A truncated file goes on in another stream, and is the same file. */
  @Test
  void aFurtherNameIsToldWithTheFirstStreamOfItsFile() throws Exception {
    Files.createLink(place.log("app/b.log"), place.log("app/a.log"));
    run(config());
    Files.writeString(place.log("app/a.log"), "x");
    run(config());
    assertTrue(place.contents().streams().stream().anyMatch(stream -> stream.id().epoch() > 0));
    assertEquals(List.of(fileId("app/a.log")), furtherNames());
  }

  /** Another file with the same names is told, though the names are the same. */
  @Test
  void anotherFileWithTheSameNamesIsTold() throws Exception {
    Path first = place.log("app/a.log");
    Path further = Files.createLink(place.log("app/b.log"), first);
    try (TestAgent agent = TestAgent.start(place, config(), TestAgent.REAL_CALLS)) {
      TestAgent.await("the tree is told", () -> told().size() == 1);
      Files.delete(first);
      Files.delete(further);
      Files.writeString(first, "another");
      Files.createLink(further, first);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(List.of(fileId("app/a.log")), furtherNames());
  }

  private List<AttributeStatement> attributes() throws IOException {
    return told().stream().flatMap(one -> one.tree().files().stream()).toList();
  }

  private static void setAttribute(Path file, String value) throws IOException {
    TestAttributes.set(TestAgent.REAL_CALLS, file, "user.origin", value.getBytes(UTF_8));
  }

  @Test
  void attributesAreToldOnceAndAgainWhenTheyChange() throws Exception {
    AgentConfig config = config().toBuilder().extendedAttributes(true).build();
    Path file = place.log("app/a.log");
    setAttribute(file, "one");
    setAttribute(place.log("app/old"), "directory");
    run(config);
    assertEquals(1, attributes().size());
    assertEquals(Set.of("user.origin"), attributes().getFirst().attributes().names());
    ToldTree first = told().getFirst();
    assertTrue(first.tree().whole());
    assertEquals(Set.of("user.origin"), first.of(place.log("app/old")).extended().names());

    run(config); // Nothing has changed.
    assertEquals(1, told().size());

    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(file);
      setAttribute(file, "two");
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(
        "two", new String(attributes().getLast().attributes().value("user.origin"), UTF_8));
    run(config()); // It tells the tree again, and no attributes.
    assertEquals(2, attributes().size());
  }

  @Test
  void anAgentThatIsNotAskedTellsNothing() throws Exception {
    run(place.config());
    assertEquals(List.of(), told());
  }
}
