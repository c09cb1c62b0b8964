package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A machine dies at a random moment and never comes back. What is restored from the destination
 * alone must be the beginning of every file, of rotated ones too, and as much of it as was
 * promised:
 *
 * <ul>
 *   <li>what the agent had said was durable is there, every byte;
 *   <li>every byte that was older than the bound is there: max_age, and what delivering took on
 *       this machine as it was loaded then, measured in the same round.
 * </ul>
 *
 * <p>{@code -Dtailwater.soak=true} runs hundreds of rounds; {@code -Dtailwater.rounds=N} so many,
 * and {@code -Dtailwater.seed=N} begins with that seed. Needs root.
 */
class DeathDrillTest {
  private static final long EXT4_BYTES = 1L << 30;
  private static final long SHORTEST_LIFE_MILLIS = 500;
  private static final int LONGEST_LIFE_MILLIS = 2000;

  /** What a scheduler that is busy with other tests may take on top of all that is measured. */
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  @TempDir private Path directory;

  /** How it dies. */
  private enum Death {
    /** SIGKILL to agent and writers at once. */
    KILLED,
    /** The disk loses what was only in memory and fails; shortly after, all processes are gone. */
    POWER_CUT
  }

  @Test
  void whatIsRestoredIsTheBeginningOfEveryFileUpToTheBound() throws Exception {
    int rounds =
        Integer.getInteger("tailwater.rounds", Boolean.getBoolean("tailwater.soak") ? 300 : 3);
    long firstSeed = Long.getLong("tailwater.seed", System.nanoTime() >>> 20);
    for (int round = 0; round < rounds; round++) {
      long seed = firstSeed + round;
      Death death = Death.values()[(int) (seed % 2)];
      boolean onXfs = seed / 2 % 2 == 0;
      Path elsewhere = Files.createDirectory(directory.resolve("round-" + round));
      try {
        round(new Random(seed), death, onXfs, elsewhere);
      } catch (Throwable e) {
        String where = death + (onXfs ? " on XFS" : " on ext4") + ", round " + round;
        throw new AssertionError(where + ", seed " + seed + ": " + e.getMessage(), e);
      }
      deleteTree(elsewhere);
    }
  }

  private static void round(Random random, Death death, boolean onXfs, Path elsewhere)
      throws Exception {
    MountedFileSystem disk =
        onXfs ? TestFileSystems.xfs(EXT4_BYTES, 4096) : TestFileSystems.ext4(EXT4_BYTES, 4096);
    long diedNanos;
    MortalMachine machine;
    try (MortalMachine mortal = new MortalMachine(disk, elsewhere)) {
      machine = mortal;
      mortal.start(random.nextLong());
      mortal.liveFor(SHORTEST_LIFE_MILLIS + random.nextInt(LONGEST_LIFE_MILLIS));
      diedNanos = System.nanoTime();
      if (death == Death.POWER_CUT) {
        mortal.cutPower();
        Thread.sleep(random.nextInt(60));
      }
      mortal.kill();
    }
    check(machine, diedNanos, elsewhere);
  }

  /** The disk is gone; there is the destination, and what was said outside the machine. */
  private static void check(MortalMachine machine, long diedNanos, Path elsewhere)
      throws Exception {
    Packaged.Run restore =
        Packaged.tailwater(
            elsewhere, "restore", "--json", machine.archive().toString(), "restored");
    assertEquals(0, restore.exitCode(), restore.err());
    Map<Long, Long> restored = restoredBytes(elsewhere.resolve("restored"));
    checkWhatWasSaid(machine, JsonText.parse(restore.out()));
    WriteJournal journal = machine.journal();
    long allowedNanos = allowedNanos(machine, journal, diedNanos);
    journal
        .lengthsAt(diedNanos - allowedNanos)
        .forEach(
            (file, lengthBytes) ->
                assertTrue(
                    restored.getOrDefault(file, 0L) >= lengthBytes,
                    () ->
                        "file "
                            + file
                            + " has "
                            + restored.getOrDefault(file, 0L)
                            + " restored bytes, and "
                            + lengthBytes
                            + " were older than "
                            + millis(allowedNanos)
                            + " ms; the agent said "
                            + machine.messages()));
    tell(journal, restored, diedNanos, allowedNanos);
  }

  private static void tell(
      WriteJournal journal, Map<Long, Long> restored, long diedNanos, long allowedNanos) {
    long writtenBytes = sum(journal.lengths());
    long restoredBytes = sum(restored);
    long behindNanos = diedNanos - journal.exceededNanos(restoredBytes).orElse(diedNanos);
    System.out.printf(
        Locale.ROOT,
        "drill: %d files, %,d bytes written, %,d restored, %,d ms behind, %,d ms allowed%n",
        journal.lengths().size(),
        writtenBytes,
        restoredBytes,
        millis(behindNanos),
        millis(allowedNanos));
  }

  private static long sum(Map<Long, Long> lengths) {
    return lengths.values().stream().mapToLong(Long::longValue).sum();
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  /** By the number of the file. Each must be the beginning of what that file was made to hold. */
  private static Map<Long, Long> restoredBytes(Path tree) throws IOException {
    Map<Long, Long> lengths = new HashMap<>();
    for (Path path : Site.files(tree)) {
      byte[] bytes = Files.readAllBytes(path);
      if (bytes.length == 0) {
        continue; // It was seen before its first byte was written.
      }
      long file = DrillContent.fileOf(bytes);
      assertTrue(file >= 0, path + " does not say which file it is");
      byte[] made = new DrillContent(file).next(bytes.length);
      assertEquals(-1, Arrays.mismatch(made, bytes), path + " of " + bytes.length + " bytes");
      assertEquals(null, lengths.put(file, (long) bytes.length), "restored twice: file " + file);
    }
    assertTrue(!lengths.isEmpty(), "nothing is restored");
    return lengths;
  }

  /** Of each stream, what the agent had called durable; and as many bytes as it had counted. */
  private static void checkWhatWasSaid(MortalMachine machine, JsonText restore) {
    JsonText last = machine.said().getLast().status();
    Map<String, Long> restored = new HashMap<>();
    for (JsonText stream : restore.objects("streams")) {
      restored.put(stream.text("stream"), stream.number("bytes"));
    }
    for (JsonText file : last.objects("atRisk")) {
      long restoredBytes = restored.getOrDefault(file.text("stream"), 0L);
      long durableBytes = file.number("durableBytes");
      assertTrue(
          restoredBytes >= durableBytes,
          () ->
              file.text("path") + ": " + durableBytes + " were durable, " + restoredBytes + " are");
    }
    assertTrue(
        restored.values().stream().mapToLong(Long::longValue).sum()
            >= last.number("deliveredBytes"),
        () -> restored + " are restored, delivered were " + last.number("deliveredBytes"));
  }

  /**
   * How old a byte must have been at death to be due: max_age, and the longest that the counted
   * bytes were behind the written ones, twice, since what was not counted yet may take longer; and
   * the longest that the agent could not be asked, which says how loaded the machine was.
   */
  private static long allowedNanos(MortalMachine machine, WriteJournal journal, long diedNanos) {
    long behindNanos = 0;
    long silentNanos = 0;
    long before = machine.said().getFirst().answeredNanos();
    for (MortalMachine.Said now : machine.said()) {
      long exceeded = journal.exceededNanos(now.deliveredBytes()).orElse(now.answeredNanos());
      behindNanos = Math.max(behindNanos, now.answeredNanos() - exceeded);
      silentNanos = Math.max(silentNanos, now.answeredNanos() - before);
      before = now.answeredNanos();
    }
    silentNanos = Math.max(silentNanos, diedNanos - before);
    return TimeUnit.MILLISECONDS.toNanos(MortalMachine.MAX_AGE_MILLIS)
        + 2 * behindNanos
        + silentNanos
        + GRACE_NANOS;
  }

  private static void deleteTree(Path root) throws IOException {
    for (Path path : Site.files(root)) {
      Files.delete(path);
    }
  }
}
