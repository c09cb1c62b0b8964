package dev.tailwater.restore.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.read.LockedStreams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class VerifierTest {
  private final byte[] contents = Bytes.random(100_000, 5);
  private final TestArchive archive = TestArchive.inMemory();

  private VerifyReport verify(Destination destination, ReadOptions reading) throws IOException {
    return new Verifier(destination, reading, RestoreProgress.none())
        .verify(archive.index(reading));
  }

  private VerifyReport verify() throws IOException {
    return verify(archive.destination, TestArchive.options());
  }

  @Test
  void aWholeArchiveIsDoneAndEverySegmentWasOpened() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 50_000);
    stream.segment(contents, 50_000, 100_000);
    stream.segment(contents, 0, 100_000);

    VerifyReport report = verify();

    assertEquals(Outcome.DONE, report.outcome());
    VerifiedStream one = report.streams().getFirst();
    assertEquals(100_000, one.bytes());
    assertEquals(3, one.checkedSegments());
    assertTrue(one.isComplete());
  }

  @Test
  void aDamagedSegmentIsNamedEvenWhenOthersHaveItsBytes() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    String bad = stream.segment(contents, 0, 50_000);
    stream.segment(contents, 0, 100_000);
    archive.damage(bad, 100);

    VerifyReport report = verify();

    assertEquals(Outcome.PARTIAL, report.outcome());
    VerifiedStream one = report.streams().getFirst();
    assertEquals(List.of(), one.missing());
    assertEquals(bad, one.damages().getFirst().key());
    assertEquals(1, one.checkedSegments());
  }

  @Test
  void segmentsThatContradictEachOtherAreNamed() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segmentAt(0, Bytes.text("aaaaaa"));
    stream.segmentAt(3, Bytes.text("abaaaa"));

    VerifyReport report = verify();

    assertEquals(Outcome.PARTIAL, report.outcome());
    List<Damage> damages = report.streams().getFirst().damages();
    assertEquals(1, damages.size());
    assertTrue(damages.getFirst().why().contains("from byte 3"), damages.toString());
  }

  @Test
  void quickLooksAtNamesOnly() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    String bad = stream.segment(contents, 0, 50_000);
    stream.segment(contents, 60_000, 100_000);
    archive.damage(bad, 100);
    FaultyDestination counting =
        FaultyDestination.wrap(
            archive.destination,
            call -> {
              return DestinationFault.PROCEED;
            });

    VerifyReport report =
        new Verifier(counting, TestArchive.options(), RestoreProgress.none())
            .verifyNames(archive.index(TestArchive.options()));

    assertEquals(0, counting.callCount());
    assertEquals(Outcome.PARTIAL, report.outcome());
    VerifiedStream one = report.streams().getFirst();
    assertEquals("[[50000, 60000)]", one.missing().toString());
    assertEquals(List.of(), one.damages());
    assertEquals(0, one.checkedSegments());
  }

  @Test
  void encryptedSegmentsNeedAnIdentity() throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    archive.with(new Codec.Zstd(1), List.of(keys.recipient()));
    archive.stream("/a", 1).segment(contents, 0, 100_000);

    VerifyReport without = verify();
    assertEquals(Outcome.FAILED, without.outcome());
    assertTrue(without.streams().getFirst().locked());
    assertEquals(List.of(), without.streams().getFirst().missing());
    assertEquals(new LockedStreams(1, 1, 0, 1), without.locked().orElseThrow());

    VerifyReport with =
        verify(archive.destination, TestArchive.options().withIdentities(List.of(keys.identity())));
    assertEquals(Outcome.DONE, with.outcome());
  }

  @Test
  void segmentsThatAreMergedMeanwhileAreNoLoss() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    String first = stream.segment(contents, 0, 50_000);
    String second = stream.segment(contents, 50_000, 100_000);
    AtomicBoolean merged = new AtomicBoolean();
    FaultyDestination merging =
        FaultyDestination.wrap(
            archive.destination,
            call -> {
              if (call.is("read") && merged.compareAndSet(false, true)) {
                try {
                  stream.segment(contents, 0, 100_000);
                  archive.destination.delete(first);
                  archive.destination.delete(second);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
              return DestinationFault.PROCEED;
            });

    VerifyReport report = verify(merging, TestArchive.options());

    assertEquals(Outcome.DONE, report.outcome(), report.toString());
    assertEquals(100_000, report.bytes());
  }

  @Test
  void anEmptyArchiveIsDone() throws IOException {
    assertEquals(Outcome.DONE, verify().outcome());
  }
}
