package dev.tailwater.it.conservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.TestAgent;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.ReadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a file was last is restored, although the clock was set back since something else was said.
 */
class ClockSetBackTest {
  /** How far the clock is ahead of the right time. */
  private final AtomicLong aheadMillis = new AtomicLong(Duration.ofHours(1).toMillis());

  private Path base;
  private Path logs;
  private Path file;
  private int restored;

  @BeforeEach
  void makeFile(@TempDir Path directory) throws Exception {
    base = directory.toRealPath();
    logs = Files.createDirectory(base.resolve("logs"));
    Files.createDirectory(base.resolve("archive"));
    file = Files.writeString(logs.resolve("secret"), "one\n");
    setMode("rw-r--r--");
  }

  private void setMode(String permissions) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private void append(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }

  private Destination open(OpenIntent intent) throws IOException {
    return Destinations.open(
        base.resolve("archive").toString(),
        intent,
        new DestinationContext(TestAgent.REAL_CALLS, InstantSource.system(), new SecureRandom()));
  }

  private TestAgent start(boolean packs) throws IOException {
    AgentConfig config =
        AgentConfig.builder(
                "clock",
                List.of(new Source(PosixPath.of(logs), List.of(), List.of())),
                PosixPath.of(base.resolve("state")))
            .packs(packs ? PackUse.ALWAYS : PackUse.NEVER)
            .maxAge(Duration.ofMillis(30))
            .build();
    return TestAgent.startAt(
        config, open(OpenIntent.WRITE), () -> System.currentTimeMillis() + aheadMillis.get());
  }

  private void run(boolean packs) throws Exception {
    try (TestAgent agent = start(packs)) {
      assertTrue(agent.drain().isComplete());
    }
  }

  private void assertRestored() throws Exception {
    Path target = base.resolve("restored-" + restored++);
    try (Destination archive = open(OpenIntent.READ)) {
      var _ = RestoredTree.restore(archive, target, ReadOptions.defaults());
    }
    Path copy = target.resolve(Path.of("/").relativize(file));
    assertEquals(Files.readString(file), Files.readString(copy));
    assertEquals(
        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
        PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)));
    assertEquals(Files.getLastModifiedTime(file), Files.getLastModifiedTime(copy));
  }

  @ParameterizedTest(name = "packs: {0}")
  @ValueSource(booleans = {false, true})
  void aModeThatWasChangedWithAnAppendIsRestored(boolean packs) throws Exception {
    run(packs);
    aheadMillis.set(0);
    setMode("rw-------");
    append("two\n");
    run(packs);
    assertRestored();
    append("three\n");
    run(packs);
    assertRestored();
  }

  @ParameterizedTest(name = "packs: {0}")
  @ValueSource(booleans = {false, true})
  void aModeThatWasChangedAloneIsRestored(boolean packs) throws Exception {
    run(packs);
    aheadMillis.set(0);
    setMode("rw-------");
    run(packs);
    assertRestored();
    setMode("r--------");
    run(packs);
    assertRestored();
  }

  @ParameterizedTest(name = "packs: {0}")
  @ValueSource(booleans = {false, true})
  void aModeThatIsChangedWhileTheAgentRunsIsRestored(boolean packs) throws Exception {
    try (TestAgent agent = start(packs)) {
      agent.awaitDelivered(file);
      aheadMillis.set(0);
      setMode("rw-------");
      append("two\n");
      agent.awaitDelivered(file);
      setMode("r--r-----");
      assertTrue(agent.drain().isComplete());
    }
    assertRestored();
  }

  @ParameterizedTest(name = "packs: {0}")
  @ValueSource(booleans = {false, true})
  void aFileThatWasTruncatedAndGrowsAgainIsRestored(boolean packs) throws Exception {
    run(packs);
    aheadMillis.set(0);
    Files.writeString(file, "2\n");
    setMode("rw-------");
    run(packs);
    append("three\n");
    run(packs);
    assertRestored();
  }

  @ParameterizedTest(name = "packs: {0}")
  @ValueSource(booleans = {false, true})
  void aRenamedFileIsRestoredUnderItsLastName(boolean packs) throws Exception {
    run(packs);
    aheadMillis.set(0);
    file = Files.move(file, logs.resolve("renamed"));
    run(packs);
    assertRestored();
    assertTrue(Files.notExists(base.resolve("restored-0" + logs + "/secret")));
  }

  @ParameterizedTest(name = "packs: {0}")
  @ValueSource(booleans = {false, true})
  void aFileThatWasSavedByRenamingIsRestored(boolean packs) throws Exception {
    run(packs);
    aheadMillis.set(0);
    Path next = Files.writeString(logs.resolve("next"), "new\n");
    Files.move(next, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    run(packs);
    assertRestored();
  }

  /** Packs tell the agent what it has said. */
  @ParameterizedTest(name = "packs: {0}")
  @ValueSource(booleans = {true})
  void aModeThatWasChangedAfterTheLossOfTheStateIsRestored(boolean packs) throws Exception {
    run(packs);
    Files.move(base.resolve("state"), base.resolve("lost"));
    aheadMillis.set(0);
    setMode("rw-------");
    append("two\n");
    run(packs);
    assertRestored();
  }
}
