package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.read.LockedStreams;
import dev.tailwater.restore.verify.VerifiedStream;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Archives to which the key is not at hand: nothing of them is lost, and nothing is called so. */
class LockedArchiveTest extends RestoreFixture {
  private final KeyPair keys = KeyPair.generate(new SecureRandom());
  private final KeyPair others = KeyPair.generate(new SecureRandom());
  private final TestArchive archive =
      TestArchive.inMemory().with(new Codec.Zstd(1), List.of(keys.recipient(), others.recipient()));

  private void fill() throws IOException {
    for (int i = 1; i <= 30; i++) {
      TestArchive.TestStream stream = archive.stream("/d/f" + i, i);
      stream.segmentAt(0, Bytes.random(100, i));
      stream.segmentAt(100, Bytes.random(100, i));
    }
    // An empty file has nothing that could be encrypted.
    archive.stream("/d/empty", 40).renamed("/d/empty", 0);
  }

  private static ReadOptions with(KeyPair pair) {
    return TestArchive.options().withIdentities(List.of(pair.identity()));
  }

  @Test
  void withoutAKeyAndWithAWrongOneThereIsOneAnswerForAllFiles() throws IOException {
    fill();
    KeyPair wrong = KeyPair.generate(new SecureRandom());
    for (ReadOptions reading : List.of(TestArchive.options(), with(wrong))) {
      LockedStreams expected = new LockedStreams(30, 31, reading.identities().size(), 2);

      RestoreReport report = restore(archive, RestoreOptions.of(reading));

      assertEquals(Outcome.FAILED, report.outcome());
      assertEquals(expected, report.locked().orElseThrow());
      assertTrue(report.streams().stream().allMatch(one -> one.missing().isEmpty()));
      assertTrue(report.streams().stream().allMatch(one -> one.damages().isEmpty()));
      assertFalse(Files.exists(target()));

      VerifyReport verified =
          new Verifier(archive.destination, reading, RestoreProgress.none())
              .verify(archive.index(reading));
      assertEquals(Outcome.FAILED, verified.outcome());
      assertEquals(expected, verified.locked().orElseThrow());
      assertTrue(verified.streams().stream().allMatch(one -> one.missing().isEmpty()));
      assertTrue(verified.streams().stream().allMatch(one -> one.damages().isEmpty()));
    }
  }

  @Test
  void whatOtherKeysOpenIsRestoredAndTheRestIsCounted() throws IOException {
    archive.stream("/a", 1).segmentAt(0, Bytes.text("a"));
    archive.with(new Codec.Zstd(1), List.of(others.recipient()));
    archive.stream("/b", 2).segmentAt(0, Bytes.text("b"));

    RestoreReport report = restore(archive, RestoreOptions.of(with(keys)));

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(List.of("a"), files());
    assertEquals(1, report.locked().orElseThrow().streams());
    assertEquals(1, report.count(RestoreResult.LOCKED));
  }

  @Test
  void plainFilesAreRestoredWithoutAKey() throws IOException {
    archive.stream("/a", 1).segmentAt(0, Bytes.text("a"));
    archive.with(new Codec.Zstd(1), List.of());
    archive.stream("/b", 2).segmentAt(0, Bytes.text("b"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(List.of("b"), files());
    assertEquals(
        "1 of 2 files is encrypted to 2 recipients, and no identity was given",
        report.locked().orElseThrow().sentence());
  }

  /** A segment of the whole stream before those of the agent, which anybody can write. */
  private void putForeignSegmentBefore(TestArchive.TestStream stream) throws IOException {
    KeyPair nobody = KeyPair.generate(new SecureRandom());
    archive.with(new Codec.Zstd(1), List.of(nobody.recipient()));
    stream.segmentAt(0, Bytes.random(200, 1));
    archive.with(new Codec.Zstd(1), List.of(keys.recipient()));
  }

  private TestArchive.TestStream twoSegments(String path, int birth) throws IOException {
    TestArchive.TestStream stream = archive.stream(path, birth);
    stream.segmentAt(0, Bytes.random(100, birth));
    stream.segmentAt(100, Bytes.random(100, birth));
    return stream;
  }

  @Test
  void foreignSegmentsLockNoFilesThatOthersGive() throws IOException {
    putForeignSegmentBefore(twoSegments("/a", 1));
    putForeignSegmentBefore(twoSegments("/b", 2));

    assertRestored(2);
  }

  @Test
  void aForeignSegmentLocksNoFileWhereAnotherOneOpens() throws IOException {
    putForeignSegmentBefore(twoSegments("/a", 1));
    twoSegments("/b", 2);

    assertRestored(2);
  }

  @Test
  void aWrongKeyIsFoundOutWithFewReadsHoweverManySegmentsThereAre() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    for (int i = 0; i < 1_000; i++) {
      stream.segmentAt(i, Bytes.random(1, i));
    }
    FaultyDestination counting =
        FaultyDestination.wrap(archive.destination, DestinationFaultPlan.none());
    ReadOptions wrong = with(KeyPair.generate(new SecureRandom()));

    VerifyReport verified =
        new Verifier(counting, wrong, RestoreProgress.none()).verify(archive.index(wrong));

    assertEquals(1, verified.locked().orElseThrow().streams());
    assertTrue(counting.callCount() <= 300, () -> "calls: " + counting.callCount());
  }

  private void assertRestored(int files) throws IOException {
    VerifyReport verified =
        new Verifier(archive.destination, with(keys), RestoreProgress.none())
            .verify(archive.index(with(keys)));
    assertEquals(0, verified.streams().stream().filter(VerifiedStream::locked).count());
    assertTrue(verified.streams().stream().allMatch(one -> one.bytes() == 200));

    RestoreReport report = restore(archive, RestoreOptions.of(with(keys)));

    assertEquals(files, report.count(RestoreResult.RESTORED), report.toString());
  }
}
