package dev.tailwater.it.conservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.merge.RevisionRetention;
import dev.tailwater.delivery.TestAgent;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.testkit.Evidence;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.place.RestoreReport;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs save files by renaming, delete them and create them again, until agent and machine are
 * gone. The archive alone must tell which of the versions that it has was at each path last. {@code
 * -Dtailwater.rounds=N} runs more rounds, {@code -Dtailwater.seed=N} begins with that seed.
 */
class LatestVersionTest {
  private static final List<String> NAMES = List.of("settings.conf", "users.json", "spool");
  private static final int ACTIONS = 30;
  private static final int ROUNDS = 6;

  /** Longer than a test: the archive is told of no end. */
  private static final Duration LONG = Duration.ofMinutes(10);

  @RegisterExtension final ThreadsOfAgents threads = new ThreadsOfAgents();

  @TempDir private Path directory;

  /** How often a version of each name was put at its path. */
  private final Map<String, Integer> versions = new HashMap<>();

  /** Files that are still written to, wherever they are now. */
  private final List<FileChannel> open = new ArrayList<>();

  private final List<String> journal = new ArrayList<>();

  @Test
  void restoreTakesTheVersionThatWasAtThePathLastInSegments() throws Exception {
    rounds(PackUse.NEVER);
  }

  @Test
  void restoreTakesTheVersionThatWasAtThePathLastInPacks() throws Exception {
    rounds(PackUse.ALWAYS);
  }

  private void rounds(PackUse packs) throws Exception {
    long firstSeed = Long.getLong("tailwater.seed", System.nanoTime());
    int rounds = Integer.getInteger("tailwater.rounds", ROUNDS);
    for (long seed = firstSeed; seed < firstSeed + rounds; seed++) {
      Path base = Files.createDirectory(directory.toRealPath().resolve("round-" + seed));
      versions.clear();
      journal.clear();
      try {
        round(new Random(seed), base, packs);
        assertEquals(List.of(), threads.died(), "threads of the agent died");
      } catch (Throwable e) {
        Evidence.keep(base);
        throw new AssertionError(
            "seed " + seed + ": " + e.getMessage() + "\n  " + String.join("\n  ", journal), e);
      }
    }
  }

  private void round(Random random, Path base, PackUse packs) throws Exception {
    Path logs = Files.createDirectory(base.resolve("logs"));
    Files.createDirectory(base.resolve("archive"));
    for (String name : NAMES) {
      Files.writeString(logs.resolve(name), nextVersion(name));
    }
    AgentLives agents = new AgentLives(base, List.of(logs), Protection.PLAIN, Optional.empty());
    Duration grace = random.nextBoolean() ? LONG : Duration.ofMillis(50);
    agents.start(
        new AgentLives.Variation(
            2,
            2,
            new Codec.Zstd(1),
            CutAt.ANYWHERE,
            packs,
            RevisionRetention.ALL,
            grace,
            0,
            AgentLives.Descriptors.MANY,
            AgentLives.MERGE_TO_BYTES));
    Map<String, Integer> delivered = new HashMap<>();
    try {
      for (int i = 0; i < ACTIONS; i++) {
        act(random, logs);
        Thread.sleep(random.nextInt(10) == 0 ? 300 : random.nextInt(30));
      }
      String awaited = NAMES.get(random.nextInt(NAMES.size()));
      if (Files.exists(logs.resolve(awaited))) {
        agents.awaitDelivered(logs.resolve(awaited));
        delivered.put(awaited, versions.get(awaited));
        journal.add("delivered: " + awaited);
      }
    } finally {
      agents.abandon();
      for (FileChannel file : open) {
        file.close();
      }
      open.clear();
    }
    try (Destination archive = agents.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      Path target = base.resolve("restored");
      RestoreReport report = RestoredTree.restore(archive, target, ReadOptions.defaults()).report();
      assertEquals(List.of(), report.contested());
      assertEquals(Outcome.DONE, report.outcome(), report.toString());
      check(report, logs, target, delivered);
    }
  }

  private void act(Random random, Path logs) throws IOException {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    Path path = logs.resolve(name);
    switch (random.nextInt(6)) {
      case 0 -> {
        journal.add("delete " + name);
        Files.deleteIfExists(path);
      }
      case 1 -> {
        Files.deleteIfExists(path);
        Files.writeString(path, nextVersion(name), StandardOpenOption.CREATE_NEW);
      }
      case 2 -> {
        if (Files.exists(path)) {
          open.add(FileChannel.open(path, StandardOpenOption.APPEND));
        }
      }
      case 3 -> {
        for (FileChannel file : open) {
          file.write(StandardCharsets.UTF_8.encode("written later\n"));
        }
      }
      default -> {
        Path temporary = logs.resolve(random.nextBoolean() ? name + ".tmp" : ".saved");
        Files.writeString(temporary, nextVersion(name));
        if (random.nextBoolean()) {
          pause(random.nextInt(60));
        }
        Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private String nextVersion(String name) {
    int version = versions.merge(name, 1, Integer::sum);
    journal.add("version " + version + " of " + name);
    return version + "\n" + ("of " + name + "\n").repeat(version % 7);
  }

  /** Of each name, the highest version that is anywhere in the archive is at its path. */
  private static void check(
      RestoreReport report, Path logs, Path target, Map<String, Integer> delivered)
      throws IOException {
    for (String name : NAMES) {
      String path = logs.resolve(name).toString();
      Map<String, Integer> restored = new HashMap<>();
      for (var stream : report.streams()) {
        if (stream.path().toString().equals(path)) {
          String file = stream.target().orElseThrow().toString();
          String first = Files.readString(target.resolve(file)).lines().findFirst().orElse("0");
          restored.put("/" + file, Integer.parseInt(first));
        }
      }
      int latest = restored.values().stream().mapToInt(version -> version).max().orElse(0);
      int there = restored.getOrDefault(path, 0);
      if (there == 0 && restored.containsKey(path)) {
        continue; // It was created, and nothing that was written to it has arrived.
      }
      assertEquals(latest, there, name + " among " + restored);
      int atLeast = delivered.getOrDefault(name, 0);
      assertTrue(latest >= atLeast, () -> name + " " + atLeast + " was delivered: " + restored);
    }
  }
}
