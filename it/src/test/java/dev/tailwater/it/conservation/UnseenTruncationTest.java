package dev.tailwater.it.conservation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.merge.RevisionRetention;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.ArchiveContents;
import dev.tailwater.delivery.TestAgent;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.io.FileIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The law of conservation where nobody can tell that a file was truncated: it is as long as what
 * was read of it at least, and has the bytes that were read last.
 */
class UnseenTruncationTest {
  private static final AgentLives.Variation VARIATION =
      new AgentLives.Variation(
          1,
          1,
          new Codec.Zstd(1),
          CutAt.ANYWHERE,
          PackUse.NEVER,
          RevisionRetention.ALL,
          Duration.ofMillis(100),
          0,
          AgentLives.Descriptors.MANY,
          AgentLives.MERGE_TO_BYTES);

  private static final FileIdentity IDENTITY =
      new FileIdentity(1, 2, OptionalLong.empty(), OptionalLong.empty());

  private final Random random = new Random(1);

  @TempDir private Path directory;

  private AgentLives agents;
  private FileModel model;
  private Path log;

  @BeforeEach
  void setUp() throws IOException {
    Path base = directory.toRealPath();
    Path logs = Files.createDirectory(base.resolve("logs"));
    Files.createDirectory(base.resolve("archive"));
    agents = new AgentLives(base, List.of(logs), Protection.PLAIN, Optional.empty());
    model = new FileModel(agents);
    log = logs.resolve("log");
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void whatWasReadBeforeATruncationAboveItIsReplacedByWhatIsWrittenThereAfterIt() throws Exception {
    agents.start(VARIATION);
    model.create(log, "rw-r--r--", bytes(24576));
    agents.awaitDelivered(log);
    model.acknowledgeAll();
    agents.kill();
    model.agentKilled();

    model.append(log, bytes(9813));
    model.truncate(log, 32818);
    model.overwrite(log, 18641, bytes(1000));

    agents.start(VARIATION);
    model.drained(agents.drainAndStop(Set.of()));
    checkLaw();
  }

  @Test
  void aStreamMayHaveBytesFromBeforeAndAfterATruncationAboveWhatIsDurable() {
    ModelFile file = new ModelFile(0, 1, StreamId.of("agent", IDENTITY, 0));
    byte[] first = bytes(1000);
    file.append(first);
    file.current().due(600);
    byte[] rewritten = first.clone();
    rewritten[10]++;
    file.rewritten(rewritten);
    file.beginBirth(Arrays.copyOf(rewritten, 700));
    byte[] more = bytes(100);
    file.append(more);

    byte[] held = Arrays.copyOf(first, 800);
    System.arraycopy(more, 0, held, 700, 100);
    assertEquals(OptionalInt.of(1), file.lastBirth(held, 0, 0));
    held[20]++;
    assertEquals(OptionalInt.empty(), file.lastBirth(held, 0, 0));
  }

  @Test
  void noStreamHasBytesFromBeforeAndAfterATruncationBelowWhatIsDurable() {
    ModelFile file = new ModelFile(0, 1, StreamId.of("agent", IDENTITY, 0));
    byte[] first = bytes(1000);
    file.append(first);
    file.current().due(1000);
    file.beginBirth(Arrays.copyOf(first, 700));
    byte[] more = bytes(400);
    file.append(more);

    byte[] held = first.clone();
    held[999] = more[299];
    assertEquals(OptionalInt.empty(), file.lastBirth(held, 0, 0));
    assertEquals(OptionalInt.of(0), file.lastBirth(first, 0, 0));
  }

  private void checkLaw() throws IOException {
    try (Destination archive = agents.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      new ConservationLaw(model, ArchiveContents.load(archive, List.of()), false).check();
    }
  }
}
