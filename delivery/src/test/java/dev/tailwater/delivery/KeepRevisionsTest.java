package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.merge.PackMerge;
import dev.tailwater.archive.merge.RevisionRetention;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much an agent keeps of what was replaced, when it merges its packs. */
class KeepRevisionsTest {
  private static final int FILE_BYTES = 2_000;
  private static final int REWRITES = 40;

  private TestAgent.Place place;
  private Path file;

  @BeforeEach
  void writeAFile(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    file = place.log("data");
    byte[] bytes = new byte[FILE_BYTES];
    new Random(1).nextBytes(bytes);
    Files.write(file, bytes);
  }

  /** Rewrites the file again and again; returns the directories of the packs that were merged. */
  private List<PackDirectory> rewrite(RevisionRetention retention) throws Exception {
    AgentConfig config =
        place.config().toBuilder()
            .packs(PackUse.ALWAYS)
            .maxAge(Duration.ofMillis(2))
            .mergeToBytes(OptionalLong.of(5L * FILE_BYTES))
            .keepRevisions(retention)
            .build();
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      for (int i = 0; i < REWRITES; i++) {
        agent.awaitDelivered(file);
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
          open.write(i);
        }
      }
      assertTrue(agent.drain().isComplete());
      TestAgent.await("some are merged", () -> !mergedNames().isEmpty());
      assertEquals(List.of(), agent.problems);
    }
    assertArrayEquals(
        Files.readAllBytes(file), place.contents().bornAt(file.toString()).getFirst().prefix());
    return merged();
  }

  private List<PackName> mergedNames() throws Exception {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return archive.list("", Optional.empty(), Integer.MAX_VALUE).entries().stream()
          .flatMap(entry -> PackName.parse(entry.key()).stream())
          .filter(name -> name.id().isMerged())
          .toList();
    }
  }

  private List<PackDirectory> merged() throws Exception {
    List<PackDirectory> merged = new ArrayList<>();
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      for (PackName name : mergedNames()) {
        try (InputStream object = archive.read(name.key(), 0, PackOpener.wantedBytes(name))) {
          merged.add(new PackOpener().open(name, object, List.of()).directory());
        }
      }
    }
    return merged;
  }

  private static long replacedBytes(List<PackDirectory> packs) {
    return packs.stream().mapToLong(pack -> PackMerge.replacedBytes(pack, Long.MAX_VALUE)).sum();
  }

  private static boolean saysWhatIsGone(List<PackDirectory> packs) {
    return packs.stream().anyMatch(pack -> !pack.facts().isEmpty());
  }

  @Test
  void mergedPacksHoldNothingThatWasReplacedWhereNothingIsKept() throws Exception {
    List<PackDirectory> merged = rewrite(RevisionRetention.NONE);
    assertEquals(0, replacedBytes(merged));
    assertTrue(saysWhatIsGone(merged));
  }

  @Test
  void mergedPacksHoldEverythingUnlessToldOtherwise() throws Exception {
    List<PackDirectory> merged = rewrite(RevisionRetention.ALL);
    assertTrue(replacedBytes(merged) > 0);
    assertFalse(saysWhatIsGone(merged));
  }

  @Test
  void whatWasReplacedLatelyIsKept() throws Exception {
    List<PackDirectory> merged = rewrite(RevisionRetention.of(Duration.ofDays(1)));
    assertTrue(replacedBytes(merged) > 0);
    assertFalse(saysWhatIsGone(merged));
  }
}
