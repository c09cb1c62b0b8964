package dev.tailwater.it.conservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.merge.RevisionRetention;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.delivery.TestAgent;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Selection;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.Restorer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A link takes the path of a file, or a file that of a link, while arrivals are numbered ahead of
 * the clock: after a kill, and after a loss of the state. What was at the path last is restored,
 * though the end of the file is not told.
 */
class LinkOrderTest {
  private static final AgentLives.Variation VARIATION =
      new AgentLives.Variation(
          1,
          1,
          new Codec.Zstd(1),
          CutAt.ANYWHERE,
          PackUse.NEVER,
          RevisionRetention.ALL,
          Duration.ofMinutes(10),
          0,
          AgentLives.Descriptors.MANY,
          AgentLives.MERGE_TO_BYTES);

  @RegisterExtension final ThreadsOfAgents threads = new ThreadsOfAgents();

  @TempDir private Path directory;

  private Path base;
  private Path path;
  private Path beside;
  private AgentLives agents;

  @BeforeEach
  void killAnAgent() throws Exception {
    base = directory.toRealPath();
    Path logs = Files.createDirectory(base.resolve("logs"));
    Files.createDirectory(base.resolve("archive"));
    path = logs.resolve("current");
    beside = logs.resolve("beside");
    agents = new AgentLives(base, List.of(logs), Protection.PLAIN, Optional.empty());
    Files.writeString(beside, "first\n");
    agents.start(VARIATION);
    agents.awaitDelivered(beside);
    agents.kill();
  }

  private void replaceByLink() throws IOException {
    Path link = path.resolveSibling("new");
    Files.createSymbolicLink(link, Path.of("beside"));
    Files.move(link, path, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void aLinkThatReplacedAFileAfterAKillIsRestored() throws Exception {
    checkThatALinkIsRestored();
  }

  @Test
  void aLinkThatReplacedAFileAfterALossOfTheStateIsRestored() throws Exception {
    agents.loseState();
    checkThatALinkIsRestored();
  }

  private void checkThatALinkIsRestored() throws Exception {
    agents.start(VARIATION);
    Files.writeString(path, "a file\n");
    agents.awaitDelivered(path);
    replaceByLink();
    try (Tempo.Lease _ = agents.agent().agent().hurry()) {
      TestAgent.await("the link is told", this::isLinkTold);
    }
    agents.kill();
    assertTrue(Files.isSymbolicLink(restored()));
  }

  @Test
  void aFileThatReplacedALinkAfterAKillIsRestored() throws Exception {
    checkThatAFileIsRestored();
  }

  @Test
  void aFileThatReplacedALinkAfterALossOfTheStateIsRestored() throws Exception {
    agents.loseState();
    checkThatAFileIsRestored();
  }

  private void checkThatAFileIsRestored() throws Exception {
    replaceByLink();
    agents.start(VARIATION);
    TestAgent.await("the link is told", this::isLinkTold);
    Path file = path.resolveSibling("new");
    Files.writeString(file, "a file\n");
    Files.move(file, path, StandardCopyOption.ATOMIC_MOVE);
    agents.awaitDelivered(path);
    agents.kill();
    Path restored = restored();
    assertFalse(Files.isSymbolicLink(restored));
    assertEquals("a file\n", Files.readString(restored));
  }

  private boolean isLinkTold() throws IOException {
    try (Destination archive = agents.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      String prefix = PackName.prefix(AgentLives.agentName(), PackName.Folder.TREE);
      for (Entry entry : archive.list(prefix, Optional.empty(), 1000).entries()) {
        PackName name = PackName.parse(entry.key(), PackName.Folder.TREE).orElseThrow();
        try (InputStream object = archive.read(name.key(), 0, Long.MAX_VALUE)) {
          if (new PackOpener()
              .open(name, object, List.of()).directory().tree().directories().stream()
                  .flatMap(told -> told.there().stream())
                  .anyMatch(there -> !there.links().isEmpty())) {
            return true;
          }
        }
      }
      return false;
    }
  }

  private Path restored() throws IOException {
    Path target = base.resolve("restored");
    try (Destination archive = agents.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      ReadOptions reading = ReadOptions.defaults();
      new Restorer(
              TestAgent.REAL_CALLS,
              archive,
              RestoreOptions.of(reading).withSync(false),
              RestoreProgress.none())
          .restore(
              ArchiveIndex.load(archive, Selection.everything(), reading, RestoreProgress.none()),
              PosixPath.of(target));
    }
    return target.resolve(path.toString().substring(1));
  }
}
