package dev.tailwater.lab.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.measure.TimeBudget;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RefusedWaysTest {
  private static final InotifyLimits LIMITS = new InotifyLimits(128, 65_536);

  @TempDir private Path directory = Path.of("");

  @Test
  void aWayThatCannotBeHadLeavesTheOthersAlone() throws Exception {
    WatchedTree tree = WatchedTree.create(directory.resolve("tree"), 1, TimeBudget.unlimited());
    Path watched = tree.directories().getFirst();
    Files.move(watched, directory.resolve("elsewhere"));
    Files.write(watched, new byte[0]); // no directory: the JDK refuses it

    try (Watchers watchers =
        Watchers.open(
            List.of(ChangeWay.WATCH_SERVICE, ChangeWay.INOTIFY), LinuxFileCalls.create(), tree)) {
      assertEquals(List.of(ChangeWay.INOTIFY), List.copyOf(watchers.all().keySet()));
      String reason = String.valueOf(watchers.refused().get(ChangeWay.WATCH_SERVICE));
      assertTrue(reason.startsWith("NotDirectoryException"), reason);
      assertFalse(reason.contains(directory.toString()), "no report names a path");
    }
  }

  @Test
  void recommendsMoreOfWhatRanOut() {
    Map<ChangeWay, String> refused = new LinkedHashMap<>();
    refused.put(ChangeWay.WATCH_SERVICE, "User limit of inotify watches reached");
    refused.put(ChangeWay.HYBRID, "the limit of inotify watches is reached");
    refused.put(ChangeWay.FANOTIFY, "the kernel does not let this process watch so here");

    List<Recommendation> all = LIMITS.recommendations(refused, 10_000);

    assertEquals(
        List.of(
            new Recommendation(
                Place.HOST,
                "fs.inotify.max_user_watches",
                "131072",
                "WatchService could not watch 10000 files: User limit of inotify watches reached;"
                    + " it is 65536 now, for all programs of a user.")),
        all);
    assertEquals(
        "fs.inotify.max_user_instances = 256",
        setting(
            Map.of(
                ChangeWay.WATCH_SERVICE,
                "User limit of inotify instances reached or too many open files")));
    assertEquals(
        "fs.inotify.max_user_instances = 256",
        setting(Map.of(ChangeWay.INOTIFY, "no inotify instance (or no descriptor) is left")));
  }

  @Test
  void recommendsNothingWhereNoLimitWasReached() {
    assertEquals(List.of(), LIMITS.recommendations(Map.of(), 10_000));
    assertEquals(
        List.of(),
        LIMITS.recommendations(Map.of(ChangeWay.INOTIFY, "the kernel tells nothing"), 10_000));
  }

  private static String setting(Map<ChangeWay, String> refused) {
    Recommendation only = LIMITS.recommendations(refused, 10_000).getFirst();
    return only.key() + " = " + only.value();
  }
}
