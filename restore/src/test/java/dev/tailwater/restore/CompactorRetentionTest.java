package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.merge.PackMerge;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.compact.CompactReport;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files are rewritten through several runs of an agent, and the archive is compacted: what was
 * replaced early enough is gone, and every moment is as it was or says what it lacks.
 */
class CompactorRetentionTest extends CompactFixture {
  private static final int FILE_BYTES = 3000;
  private static final int FILES = 3;
  private static final int GROUPS = 4;
  private static final long BEGIN_MILLIS = 1_700_000_000_000L;

  private final List<TestArchive.TestStream> streams = new ArrayList<>();
  private final List<Moment> moments = new ArrayList<>();
  private int restores;

  /** The files after a delivery, and of each byte in which pack it came. */
  private record Moment(long millis, Map<TestArchive.TestStream, Content> files) {}

  private record Content(
      @SuppressWarnings("ArrayRecordComponent") byte[] bytes,
      @SuppressWarnings("ArrayRecordComponent") long[] sealedMillis) {
    Content copy() {
      return new Content(bytes.clone(), sealedMillis.clone());
    }
  }

  /** Delivers groups of one to four packs, in which parts of files are replaced. */
  private void deliverRewrites(Random random, boolean encrypted) throws IOException {
    List<Recipient> recipients = encrypted ? List.of(KEYS.recipient()) : List.of();
    for (int i = 0; i < FILES; i++) {
      streams.add(archive.stream("/p/file" + i, i + 1));
    }
    Map<TestArchive.TestStream, Content> now = new HashMap<>();
    long revision = 1;
    for (int group = 0; group < GROUPS; group++) {
      TestPacks packs = new TestPacks(archive, "web-1", 1000 + group, recipients);
      for (int pack = random.nextInt(4); pack >= 0; pack--) {
        long millis = BEGIN_MILLIS + 1000L * moments.size();
        packs.at(millis);
        for (TestArchive.TestStream stream : streams) {
          if (!now.containsKey(stream)) {
            byte[] first = new byte[FILE_BYTES];
            random.nextBytes(first);
            packs.add(stream, 0, first);
            long[] sealed = new long[FILE_BYTES];
            Arrays.fill(sealed, millis);
            now.put(stream, new Content(first, sealed));
          } else if (random.nextInt(3) > 0) {
            replace(packs, stream, now, revision++, millis, random);
          }
        }
        packs.deliver();
        Map<TestArchive.TestStream, Content> copy = new HashMap<>();
        now.forEach((stream, content) -> copy.put(stream, content.copy()));
        moments.add(new Moment(millis, copy));
      }
    }
  }

  private static void replace(
      TestPacks packs,
      TestArchive.TestStream stream,
      Map<TestArchive.TestStream, Content> now,
      long revision,
      long millis,
      Random random) {
    Content content = Objects.requireNonNull(now.get(stream));
    int from = 500 * random.nextInt(5);
    byte[] some = new byte[500 * (1 + random.nextInt((FILE_BYTES - from) / 500))];
    random.nextBytes(some);
    packs.replace(stream, from, some, revision);
    System.arraycopy(some, 0, content.bytes, from, some.length);
    Arrays.fill(content.sealedMillis, from, from + some.length, millis);
  }

  /**
   * Checks that the archive as of a moment has what was there, and lacks only bytes that were
   * replaced early enough and had replaced others.
   *
   * @return how many bytes it lacks
   */
  private long checkAt(Moment moment) throws IOException {
    ReadOptions reading = reading().withAtMillis(moment.millis);
    Path place = scratch.resolve("at-" + restores++);
    RestoreReport report =
        new Restorer(
                CALLS,
                archive.destination,
                RestoreOptions.of(reading).withSync(false),
                RestoreProgress.none())
            .restore(archive.index(reading), PosixPath.of(place));
    assertEquals(FILES, report.streams().size());
    long lacking = 0;
    for (RestoredStream restored : report.streams()) {
      TestArchive.TestStream stream =
          streams.stream()
              .filter(one -> one.id.equals(restored.stream()))
              .findFirst()
              .orElseThrow();
      Content then = Objects.requireNonNull(moment.files.get(stream));
      byte[] there = Files.readAllBytes(place.resolve(restored.target().orElseThrow().toString()));
      for (int i = 0; i < FILE_BYTES; i++) {
        ByteRange one = new ByteRange(i, i + 1);
        boolean missing = restored.missing().stream().anyMatch(range -> range.contains(one));
        if (missing) {
          lacking++;
          assertTrue(replacedMillis(stream, then, i) <= replacedByMillis, "it is kept: " + i);
          assertTrue(then.sealedMillis[i] > moments.getFirst().millis, "first bytes stay");
        } else {
          assertTrue(i < there.length, "it is told what is missing at the end");
          assertEquals(then.bytes[i], there[i], stream.path + " at " + i);
        }
      }
    }
    return lacking;
  }

  /** Returns when the byte was replaced that was there at a moment. */
  private long replacedMillis(TestArchive.TestStream stream, Content then, int offset) {
    return moments.stream()
        .map(moment -> Objects.requireNonNull(moment.files.get(stream)).sealedMillis[offset])
        .filter(millis -> millis > then.sealedMillis[offset])
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  private long checkAllMoments() throws IOException {
    long lacking = 0;
    for (Moment moment : moments) {
      lacking += checkAt(moment);
    }
    assertEquals(0, checkAt(moments.getLast()), "the archive as it is now is whole");
    return lacking;
  }

  /** Returns how many bytes the packs still hold that were replaced early enough. */
  private long replacedBytes(boolean ofEndedGroups) throws IOException {
    List<PackName> all = packs();
    long bytes = 0;
    for (PackName name : all) {
      boolean ended = !name.id().group().equals(all.getLast().id().group());
      try (InputStream object =
          archive.destination.read(name.key(), 0, PackOpener.wantedBytes(name))) {
        if (ended == ofEndedGroups) {
          bytes +=
              PackMerge.replacedBytes(
                  new PackOpener().open(name, object, List.of(KEYS.identity())).directory(),
                  replacedByMillis);
        }
      }
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasReplacedEarlyEnoughIsGoneAndNothingElse(boolean encrypted) {
    rounds(
        10,
        (random, place) -> {
          CompactorRetentionTest round = new CompactorRetentionTest();
          round.scratch = place;
          round.deliverRewrites(random, encrypted);
          round.replacedByMillis =
              random.nextBoolean()
                  ? Long.MAX_VALUE
                  : BEGIN_MILLIS + random.nextLong(1000L * round.moments.size());
          CompactReport report = round.compact(round.archive.destination);
          assertEquals(List.of(), report.damages());
          round.checkAllMoments();
          assertEquals(0, round.replacedBytes(true), "in groups that have ended");
          assertEquals(round.replacedBytes(false), report.replacedBytesLeft(), "it is told");
          assertEquals(
              0, round.compact(round.archive.destination).mergedPacks(), "nothing is left to do");
        });
  }

  @Test
  void everythingIsKeptUnlessThatIsAskedFor() throws IOException {
    deliverRewrites(new Random(3), false);
    assertEquals(List.of(), compact(archive.destination).damages());
    assertEquals(0, checkAllMoments());
  }

  /** Packs were joined while everything was kept: nothing is there to merge with. */
  @Test
  void aPackThatIsAloneLosesWhatWasReplacedToo() throws IOException {
    deliverRewrites(new Random(4), true);
    compact(archive.destination);
    replacedByMillis = Long.MAX_VALUE;
    assertTrue(replacedBytes(true) > 0);
    assertEquals(1, plan().mergedPacks(), "a dry run says it");
    CompactReport report = compact(archive.destination);
    assertEquals(1, report.mergedPacks());
    assertTrue(report.bytesAfter() < report.bytesBefore());
    assertEquals(0, replacedBytes(true));
    assertTrue(checkAllMoments() > 0);
  }

  @Test
  void aSignedPackIsRewrittenByWhoSignsAndIsTrusted() throws IOException {
    SigningKey agent = SigningKey.generate(new SecureRandom());
    SigningKey compactor = SigningKey.generate(new SecureRandom());
    archive.signedBy(new ObjectSigner(agent, () -> 1));
    deliverRewrites(new Random(4), false);
    replacedByMillis = Long.MAX_VALUE;
    trust =
        Trust.parse(
            "keys",
            "web-1 " + agent.publicKey() + "\ncompactor night " + compactor.publicKey() + "\n");
    long before = replacedBytes(true) + replacedBytes(false);
    assertEquals(before, compact(archive.destination).replacedBytesLeft(), "nobody signs");
    signer = Optional.of(new ObjectSigner(compactor, () -> 2));
    compact(archive.destination);
    assertEquals(0, replacedBytes(true));
    ReadOptions reading = reading();
    archive.index(reading);
    assertTrue(reading.authenticity().findings().isClean());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCrashAtAnyCallLosesNothingThatIsKept(boolean encrypted) throws IOException {
    deliverRewrites(new Random(5), encrypted);
    replacedByMillis = moments.get(moments.size() / 2).millis;
    boolean done = false;
    for (int call = 1; !done; call++) {
      for (DestinationFault crash :
          List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
        done = compactAndDie(call, crash).mergedPacks() == 0;
        checkAt(moments.get(call % moments.size()));
        checkAt(moments.getLast());
      }
      assertTrue(call < 300, "it never finishes");
    }
    assertEquals(0, replacedBytes(true));
    assertTrue(checkAllMoments() > 0, "something was left out");
  }
}
