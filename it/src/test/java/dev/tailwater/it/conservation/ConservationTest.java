package dev.tailwater.it.conservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.delivery.ArchiveContents;
import dev.tailwater.delivery.TestAgent;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.testkit.Evidence;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random programs, administrators and accidents on real file systems; the archive must obey the law
 * of conservation. {@code -Dtailwater.rounds=N} runs more rounds, {@code -Dtailwater.seed=N} begins
 * with that seed.
 */
class ConservationTest {
  private static final int ACTIONS = 60;
  private static final int MOST_SNAPSHOTS = 3;

  /** So few that several things happen to each of them. */
  private static final int FEW_FILES = 4;

  /** In so many, some agent with packs lives long enough that a file gathers a segment. */
  private static final int ENOUGH_ROUNDS = 10;

  private static final long EXT4_BYTES = 512L << 20;

  @RegisterExtension final ThreadsOfAgents threads = new ThreadsOfAgents();

  @Test
  void conservesEveryByteOnExt4() throws Exception {
    try (MountedFileSystem ext4 = TestFileSystems.ext4(EXT4_BYTES, 4096)) {
      rounds("Ext4", ext4.root());
    }
  }

  @Test
  void conservesEveryByteOnXfs() throws Exception {
    try (MountedFileSystem xfs = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096)) {
      rounds("Xfs", xfs.root());
    }
  }

  @Test
  void conservesEveryByteOnTmpfs() throws Exception {
    try (MountedFileSystem tmpfs = TestFileSystems.tmpfs(256L << 20)) {
      rounds("Tmpfs", tmpfs.root());
    }
  }

  private void rounds(String fileSystem, Path root) throws Exception {
    long firstSeed = Long.getLong("tailwater.seed", 1);
    int rounds = Integer.getInteger("tailwater.rounds", 3);
    long gathered = 0;
    for (long seed = firstSeed; seed < firstSeed + rounds; seed++) {
      Path base = Files.createDirectory(root.toRealPath().resolve("round-" + seed));
      List<String> journal = new ArrayList<>();
      try {
        gathered += round(seed, base, journal);
        assertEquals(List.of(), threads.died(), "threads of the agent died");
      } catch (Throwable e) {
        Evidence.keep(base);
        throw new AssertionError(report(fileSystem, seed, base, journal, e), e);
      }
      deleteTree(base);
    }
    System.out.println(gathered + " segments were made of what was in packs");
    assertTrue(rounds < ENOUGH_ROUNDS || gathered > 0, "nothing of packs became a segment");
  }

  private static String report(
      String fileSystem, long seed, Path base, List<String> journal, Throwable e) {
    return "seed "
        + seed
        + ": "
        + e.getMessage()
        + "\nWhat was done below "
        + base
        + ":\n  "
        + String.join("\n  ", journal).replace(base + "/", "")
        + "\nTry again: ./mvnw verify -pl it -am"
        + " -Dtest=ConservationTest#conservesEveryByteOn"
        + fileSystem
        + " -Dtailwater.rounds=1 -Dtailwater.seed="
        + seed;
  }

  private static long round(long seed, Path base, List<String> journal) throws Exception {
    if (seed % 2 == 0) {
      journal.add("the state is beside the archive");
      return round(seed, base, Optional.empty(), journal);
    }
    journal.add("the state has a small disk");
    try (StateDisk disk = StateDisk.mount()) {
      return round(seed, base, Optional.of(disk), journal);
    }
  }

  /** Returns how many segments were made of what was in packs. */
  private static long round(long seed, Path base, Optional<StateDisk> disk, List<String> journal)
      throws Exception {
    Random random = new Random(seed);
    Protection protection = Protection.of(seed);
    journal.add("the archive is " + protection);
    Path logs = base.resolve("logs");
    Path spool = base.resolve("spool");
    List<Path> paths =
        List.of(logs, logs.resolve("a"), logs.resolve("a/b"), spool, spool.resolve("in"));
    for (Path path : paths) {
      Files.createDirectories(path);
    }
    Directories directories = new Directories(random, List.of(logs, spool), paths);
    Path outside = Files.createDirectory(base.resolve("outside"));
    Files.createDirectory(base.resolve("archive"));
    AgentLives agents = new AgentLives(base, List.of(logs, spool), protection, disk);
    FileModel model = new FileModel(agents);
    AgentActions agentActions = new AgentActions(random, model, agents, journal);
    TreeModel tree = new TreeModel(random, directories, journal);
    RandomActions actions =
        new RandomActions(random, model, agentActions, tree, directories, outside, journal);
    if (hasFewFiles(seed)) {
      journal.add("there are few files");
      actions.keepFewFiles(FEW_FILES);
    }
    try {
      for (int i = 0; i < ACTIONS; i++) {
        actions.act();
      }
      if (!agents.isAlive()) {
        agentActions.start();
      }
      journal.add("drain and stop the agent");
      model.drained(agents.drainAndStop(model.unseenNames()));
      check(agents, model, tree, base.resolve("restored"));
      boolean loseState = random.nextBoolean() && !agents.beginsAnew();
      checkThatNothingIsSentAgain(loseState, agents, agentActions);
      return agents.gatheredSegments();
    } finally {
      agents.abandon();
    }
  }

  /** Six in a row have few, six have many: each protection with either place of the state. */
  private static boolean hasFewFiles(long seed) {
    return Math.floorMod(Math.floorDiv(seed + 3, 6L), 2) == 1;
  }

  private static void check(AgentLives agents, FileModel model, TreeModel tree, Path target)
      throws IOException {
    try (Destination archive = agents.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      Protection protection = agents.protection();
      ArchiveContents contents = ArchiveContents.load(archive, protection.identities());
      boolean begunAnew = agents.stateWasLost() && agents.beginsAnew();
      new ConservationLaw(model, contents, begunAnew).check();
      RestoredTree restored = RestoredTree.restore(archive, target, protection.reading());
      restored.checkAgainst(contents, model, agents.stateWasLost());
      restored.checkAgainst(model, agents.stateWasLost());
      tree.check(target);
      if (!agents.stateWasLost()) {
        Path files = target.resolveSibling(target.getFileName() + "-files");
        RestoredTree.restoreFiles(archive, files, protection.reading())
            .checkNoFormerVersionIsThere(model);
      }
      List<Snapshot> snapshots = model.snapshots();
      int first = Math.max(0, snapshots.size() - MOST_SNAPSHOTS);
      for (Snapshot snapshot : snapshots.subList(first, snapshots.size())) {
        if (!snapshot.file().mayBeOutdated()) {
          snapshot.check(
              archive, target.resolveSibling("at-" + snapshot.atMillis()), protection.reading());
        }
      }
    }
  }

  /** Another agent on the same files finds nothing to do, even if its state is lost. */
  private static void checkThatNothingIsSentAgain(
      boolean loseState, AgentLives agents, AgentActions actions) throws Exception {
    Map<String, Long> before = objects(agents);
    if (loseState) {
      agents.loseState();
    }
    actions.start();
    agents.drainAndStop(Set.of());
    assertEquals(before, objects(agents), "objects after another run, state lost: " + loseState);
  }

  /** All data at the destination; a stream's record and the tree may be told again. */
  private static Map<String, Long> objects(AgentLives agents) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Destination archive = agents.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      archive
          .list("", Optional.empty(), Integer.MAX_VALUE)
          .entries()
          .forEach(entry -> sizes.put(entry.key(), entry.sizeBytes()));
    }
    sizes.keySet().removeIf(key -> key.endsWith(".json") || key.contains("/~tree/"));
    for (String key : List.copyOf(sizes.keySet())) {
      Optional<PackName> pack = PackName.parse(key);
      if (pack.isPresent() && holdsNoBytes(pack.get(), agents)) {
        sizes.remove(key);
      }
    }
    return sizes;
  }

  private static boolean holdsNoBytes(PackName name, AgentLives agents) throws IOException {
    try (Destination archive = agents.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ);
        InputStream object = archive.read(name.key(), 0, PackOpener.wantedBytes(name))) {
      return new PackOpener()
          .open(name, object, agents.protection().identities())
          .directory()
          .ranges()
          .isEmpty();
    }
  }

  private static void deleteTree(Path top) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(top)) {
      paths = walk.toList();
    }
    for (Path path : paths.reversed()) {
      Files.delete(path);
    }
  }
}
