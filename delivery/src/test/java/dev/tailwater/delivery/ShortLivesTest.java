package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that are gone before the watch looks. Where a test says so, the watch is held up until they
 * are gone, so that nothing but the early open can have their bytes.
 */
class ShortLivesTest {
  private static final String WATCH = "watch";
  private static final String NAMES = "watch-names";

  /** Far more than a look of the watch waits for names. */
  private static final long HELD_MILLIS = 1_500;

  private static final int MORE_NAMES_THAN_A_LOOK_TAKES = 5_000;
  private static final int MANY = 40;
  private static final int FEW_DESCRIPTORS = 5;

  private final AtomicBoolean holds = new AtomicBoolean();
  private final CountDownLatch released = new CountDownLatch(1);
  private TestAgent.Place place;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  @AfterEach
  void release() {
    holds.set(false);
    released.countDown();
  }

  /** Calls with which the watch thread waits in its next look at a name, once it is to be held. */
  private FileCalls holdable() {
    return holdable(WATCH, "statx");
  }

  /** Calls with which the thread waits in its next call of that kind, once it is to be held. */
  private FileCalls holdable(String thread, String call) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              if (holds.get()
                  && method.getName().equals(call)
                  && Thread.currentThread().getName().equals(thread)) {
                awaitRelease();
              }
              try {
                return method.invoke(TestAgent.REAL_CALLS, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void awaitRelease() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private TestAgent start(FileCalls calls) throws Exception {
    TestAgent agent = TestAgent.start(place, place.config(), calls);
    agent.agent().awaitFirstScan();
    return agent;
  }

  private static long missed(TestAgent agent) {
    Losses.Report losses = agent.agent().status().files().losses();
    return losses.missedFiles() + losses.perhapsMissedFiles();
  }

  /** Until this process, which the agent is part of, has the file open; it need not have a name. */
  private static void awaitOpen(Path path) throws Exception {
    TestAgent.await(path + " is open", () -> openPaths().contains(path.toString()));
  }

  private static Set<String> openPaths() throws IOException {
    List<Path> links;
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      links = all.toList();
    }
    return links.stream()
        .map(
            link -> {
              try {
                return Files.readSymbolicLink(link).toString();
              } catch (IOException e) {
                return ""; // Closed meanwhile.
              }
            })
        .collect(Collectors.toSet());
  }

  /** What the archive has, as text. */
  private List<String> archived() throws IOException {
    return place.contents().streams().stream()
        .map(stream -> new String(stream.prefix(), StandardCharsets.UTF_8))
        .sorted()
        .toList();
  }

  @Test
  void aFileThatIsDeletedBeforeTheWatchLooksIsDelivered() throws Exception {
    try (TestAgent agent = start(holdable())) {
      holds.set(true);
      Path file = Files.writeString(place.log("short"), "all of it\n");
      awaitOpen(file);
      Files.delete(file);
      release();
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      assertEquals(0, missed(agent));
    }
    assertEquals(List.of("all of it\n"), archived());
  }

  @Test
  void aFileThatComesWithTheDirectoriesAboveItIsDeliveredThoughItLeavesBeforeTheWatchLooks()
      throws Exception {
    Path source = place.log("new/app/log");
    AgentConfig config =
        place.config().toBuilder()
            .sources(List.of(new Source(PosixPath.of(source), List.of(), List.of())))
            .build();
    try (TestAgent agent = TestAgent.start(place, config, holdable())) {
      agent.agent().awaitFirstScan();
      holds.set(true);
      Files.createDirectories(source.getParent());
      Files.writeString(source, "all of it\n");
      awaitOpen(source);
      Files.move(source, place.log("elsewhere"));
      Files.delete(source.getParent());
      release();
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      assertEquals(0, missed(agent));
    }
    assertEquals(List.of("all of it\n"), archived());
  }

  @Test
  void everyVersionOfAFileThatIsReplacedByRenamesIsDelivered() throws Exception {
    Path saved = place.log("saved");
    try (TestAgent agent = start(holdable())) {
      holds.set(true);
      for (int i = 0; i < 5; i++) {
        Path part = Files.writeString(place.log("saved.tmp"), "version " + i + "\n");
        awaitOpen(part);
        Files.move(part, saved, StandardCopyOption.ATOMIC_MOVE);
      }
      release();
      agent.awaitDelivered(saved);
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      assertEquals(0, missed(agent));
    }
    assertEquals(
        List.of("version 0\n", "version 1\n", "version 2\n", "version 3\n", "version 4\n"),
        archived());
  }

  @Test
  void filesInADirectoryThatIsGoneBeforeTheWatchLooksAreDelivered() throws Exception {
    try (TestAgent agent = start(holdable())) {
      holds.set(true);
      Path directory = Files.createDirectories(place.log("a/b"));
      Path first = Files.writeString(directory.resolve("first"), "first\n");
      awaitOpen(first);
      Path second = Files.writeString(directory.resolve("second"), "second\n");
      awaitOpen(second);
      Files.delete(first);
      Files.delete(second);
      Files.delete(directory);
      release();
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      assertEquals(0, missed(agent));
    }
    assertEquals(List.of("first\n", "second\n"), archived());
  }

  @Test
  void aNameThatLivesOnIsOneFileWithOneStream() throws Exception {
    Path file = place.log("long");
    try (TestAgent agent = start(TestAgent.REAL_CALLS)) {
      Files.writeString(file, "begins\n");
      agent.awaitDelivered(file);
      Path rotated = Files.move(file, place.log("long.1"));
      agent.awaitDelivered(rotated);
      Files.writeString(file, "and again\n");
      agent.awaitDelivered(file);
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
    }
    assertEquals(List.of("and again\n", "begins\n"), archived());
  }

  @Test
  void eachFileThatComesAndGoesAtOnceIsDeliveredOrCounted() throws Exception {
    int rounds = 60;
    try (TestAgent agent = start(TestAgent.REAL_CALLS)) {
      for (int i = 0; i < rounds; i++) {
        Path same = place.log("same");
        Files.writeString(same, "same " + i + "\n");
        Files.delete(same);
        Path own = place.log("own-" + i);
        Files.writeString(own, "own " + i + "\n");
        Files.delete(own);
        if (i % 7 == 0) {
          Thread.sleep(3);
        }
      }
      awaitBalance(agent, 2L * rounds);
    }
  }

  @Test
  void eachFileOfADirectoryThatAppearsIsDeliveredOrCounted() throws Exception {
    int rounds = 40;
    try (TestAgent agent = start(TestAgent.REAL_CALLS)) {
      for (int i = 0; i < rounds; i++) {
        Path directory = Files.createDirectory(place.log("d" + i));
        Files.writeString(directory.resolve("kept"), "kept " + i + "\n");
        awaitOpen(directory.resolve("kept")); // So that the directory is watched early.
        Files.writeString(directory.resolve("gone"), "gone " + i + "\n");
        Files.delete(directory.resolve("gone"));
      }
      awaitBalance(agent, 2L * rounds);
    }
  }

  /** Until each file has a stream or is counted as missed, and not one more or less. */
  private void awaitBalance(TestAgent agent, long files) throws Exception {
    TestAgent.await(
        "each of " + files + " files is delivered or counted",
        () -> {
          assertTrue(agent.agent().drainAndGoOn(Duration.ofSeconds(60)).deadlineMet());
          List<String> archived = archived();
          assertEquals(archived.size(), Set.copyOf(archived).size(), "no file is there twice");
          return missed(agent) + archived.size() == files;
        });
  }

  @Test
  void aStormOfNamesHoldsUpNothingAndIsDeliveredOrCounted() throws Exception {
    int names = 3_000;
    Path log = Files.writeString(place.log("app.log"), "line\n");
    try (TestAgent agent = start(TestAgent.REAL_CALLS)) {
      Thread storm =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < names; i++) {
                        Path each = place.log("storm-" + i);
                        Files.createFile(each);
                        Files.delete(each);
                      }
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
      List<String> lines = new ArrayList<>();
      while (storm.isAlive()) {
        Files.writeString(log, "line\n", StandardOpenOption.APPEND);
        lines.add("line");
        agent.awaitDelivered(log);
      }
      storm.join();
      assertTrue(!lines.isEmpty());
      TestAgent.await(
          "each name is delivered or counted",
          () -> {
            assertTrue(agent.agent().drainAndGoOn(Duration.ofSeconds(60)).deadlineMet());
            return missed(agent) + place.contents().streams().size() == names + 1L;
          });
    }
  }

  @Test
  void aDrainWaitsUntilItIsKnownWhatWasMissed() throws Exception {
    try (TestAgent agent = start(holdable(NAMES, "inotifyRead"))) {
      holds.set(true);
      for (int i = 0; i < 3; i++) {
        Files.delete(Files.writeString(place.log("short-" + i), "gone\n"));
      }
      CompletableFuture<DrainReport> drained =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return agent.drain();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      Thread.sleep(HELD_MILLIS);
      assertFalse(drained.isDone(), "nobody can know yet what was missed");
      release();
      DrainReport report = drained.get();
      assertEquals(3, report.losses().missedFiles(), report.toString());
      String told = Files.readString(place.archive().resolve("test-agent/~left-behind.json"));
      assertTrue(told.replace(" ", "").contains("\"missedFiles\":3"), told);
    }
  }

  @Test
  void whatCannotBeOpenedEarlyIsCountedWhenItIsGone() throws Exception {
    FileCalls calls =
        FaultyFileCalls.wrap(
                TestAgent.REAL_CALLS,
                call ->
                    call.method().equals("open") && call.arguments().contains(PosixPath.of("short"))
                        ? new Fault.Fail(Errno.EMFILE)
                        : Fault.PROCEED)
            .calls();
    try (TestAgent agent = start(calls)) {
      Path file = Files.writeString(place.log("short"), "nobody can open this\n");
      TestAgent.await("it is a problem", () -> !agent.problems.isEmpty());
      Files.delete(file);
      TestAgent.await("it is missed", () -> missed(agent) == 1);
    }
  }

  /**
   * Its files are as the last run left them, but their names are told only after the watch looks.
   */
  @Test
  void nothingIsMissedOfADirectoryThatComesBackWhileTheFirstScanIsUnderWay() throws Exception {
    for (int i = 0; i < MORE_NAMES_THAN_A_LOOK_TAKES; i++) {
      Files.writeString(place.log("a" + i), "a line\n");
    }
    Path directory = Files.createDirectory(place.log("d"));
    for (int i = 0; i < MANY; i++) {
      Files.writeString(directory.resolve("b" + i), "a line of a file\n".repeat(i + 1));
    }
    AgentConfig config = place.config().toBuilder().packs(PackUse.ALWAYS).build();
    try (TestAgent agent =
        TestAgent.startAt(config, archive(TestAgent.REAL_CALLS), ShortLivesTest::muchLaterMillis)) {
      assertTrue(agent.drain().isComplete());
    }
    Path away = Files.move(directory, place.base().resolve("away"));
    CountDownLatch isBack = new CountDownLatch(1);
    AtomicBoolean isHeld = new AtomicBoolean();
    FileCalls calls =
        FaultyFileCalls.wrap(
                holdable(NAMES, "nextEntries"),
                call -> {
                  if (call.is("open")
                      && call.arguments().get(1).toString().startsWith("a")
                      && Thread.currentThread().getName().equals(WATCH)) {
                    isHeld.set(true);
                    awaitUninterrupted(isBack);
                  }
                  return Fault.PROCEED;
                })
            .calls();
    try (TestAgent agent = TestAgent.start(config, archive(calls), calls, FEW_DESCRIPTORS)) {
      TestAgent.await("the watch waits", isHeld::get);
      holds.set(true);
      Files.move(away, directory);
      isBack.countDown();
      agent.agent().awaitFirstScan();
      release();
      Thread.sleep(500); // Until the names are told.
      for (int i = 0; i < MANY; i++) {
        Files.delete(directory.resolve("b" + i));
      }
      TestAgent.await(
          "all are gone",
          () -> agent.agent().status().files().watched() == MORE_NAMES_THAN_A_LOOK_TAKES);
      assertTrue(agent.drain().isComplete());
      assertEquals(0, missed(agent));
    }
  }

  /** So late that the change times of files vouch for what is delivered. */
  private static long muchLaterMillis() {
    return System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(1);
  }

  private Destination archive(FileCalls calls) throws IOException {
    return place.openArchive(calls, OpenIntent.WRITE);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aFileThatSomebodyElseMayHaveLinkedIsNotOpenedEarlyEither() throws Exception {
    Path shared = Files.createDirectory(place.log("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path foreign = Files.writeString(place.base().resolve("foreign"), "not for you\n");
    try (TestAgent agent = start(TestAgent.REAL_CALLS)) {
      Files.createLink(shared.resolve("link"), foreign);
      TestAgent.await(
          "the link is left out",
          () -> agent.agent().status().running().orElseThrow().watching().foreignLinks() == 1);
      DrainReport report = agent.drain();
      assertEquals(0, missed(agent), report.toString());
    }
    assertEquals(List.of(), archived());
  }

  @Test
  void whatWasOpenedEarlyIsClosedOnceItIsDelivered() throws Exception {
    try (TestAgent agent = start(holdable())) {
      holds.set(true);
      Path file = Files.writeString(place.log("early"), "early\n");
      awaitOpen(file);
      Files.delete(file);
      release();
      TestAgent.await("it is closed", () -> !openPaths().contains(file + " (deleted)"));
      assertEquals(0, missed(agent));
    }
    assertEquals(List.of("early\n"), archived());
  }
}
