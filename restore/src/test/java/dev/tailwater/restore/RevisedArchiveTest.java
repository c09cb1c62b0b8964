package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.read.StreamPrinter;
import dev.tailwater.restore.verify.Verifier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Archives of files whose bytes were replaced. */
class RevisedArchiveTest extends RestoreFixture {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final int ROUNDS = 40;

  private final TestArchive archive = TestArchive.inMemory();
  private final TestPacks packs = new TestPacks(archive, "web-1", 1000, List.of());
  private final TestArchive.TestStream stream = archive.stream("/p/file", 1);

  @Test
  void aFileComesBackAsItWasLastHoweverItWasRewritten() {
    rounds(ROUNDS, RevisedArchiveTest::round);
  }

  private static void round(Random random, Path target) throws IOException {
    List<Recipient> recipients = random.nextBoolean() ? List.of(KEYS.recipient()) : List.of();
    TestArchive archive = TestArchive.inMemory().with(new Codec.Zstd(1), recipients);
    TestArchive.TestStream stream = archive.stream("/p/file", 1);
    byte[] contents = new byte[1 + random.nextInt(5000)];
    random.nextBytes(contents);
    if (random.nextBoolean()) {
      stream.segment(contents, 0, contents.length);
    } else {
      TestPacks first = new TestPacks(archive, "web-1", 1, recipients);
      first.add(stream, 0, contents.clone()).deliver();
    }
    TestPacks packs = new TestPacks(archive, "web-1", 2, recipients);
    for (int revision = 1 + random.nextInt(3); revision < 12; revision += 1 + random.nextInt(4)) {
      int start = random.nextInt(contents.length);
      byte[] now = new byte[1 + random.nextInt(contents.length - start)];
      random.nextBytes(now);
      System.arraycopy(now, 0, contents, start, now.length);
      packs.replace(stream, start, now, revision);
      if (random.nextBoolean()) {
        packs.deliver();
      }
    }
    packs.deliver();
    ReadOptions reading =
        TestArchive.options()
            .withIdentities(List.of(KEYS.identity()))
            .withAllowPlain(recipients.isEmpty())
            .withJobs(1 + random.nextInt(4));
    ArchiveIndex index = archive.index(reading);
    assertEquals(List.of(), index.damages());
    assertEquals(RestoreResult.RESTORED, restored(archive, index, reading, target));
    assertArrayEquals(contents, Files.readAllBytes(target.resolve("p/file")));
    assertEquals(RestoreResult.ALREADY_THERE, restored(archive, index, reading, target));
    assertEquals(
        Outcome.DONE,
        new Verifier(archive.destination, reading, RestoreProgress.none()).verify(index).outcome());
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ArchivedStream found = index.find(stream.id.text()).orElseThrow();
    new StreamPrinter(archive.destination, reading, RestoreProgress.none()).print(found, printed);
    assertArrayEquals(contents, printed.toByteArray());
  }

  private static RestoreResult restored(
      TestArchive archive, ArchiveIndex index, ReadOptions reading, Path target)
      throws IOException {
    Restorer restorer =
        new Restorer(
            CALLS,
            archive.destination,
            RestoreOptions.of(reading).withSync(false),
            RestoreProgress.none());
    return only(restorer.restore(index, PosixPath.of(target))).result();
  }

  @Test
  void theHigherRevisionWinsWhicheverPackCameLater() throws IOException {
    packs.add(stream, 0, bytes("0123456789")).replace(stream, 2, bytes("bbbb"), 9).deliver();
    packs.replace(stream, 0, bytes("aaaa"), 5).deliver();
    restore(archive);
    assertFile("p/file", bytes("aabbbb6789"));
  }

  @Test
  void equalRevisionsWithOtherBytesAreAContradiction() throws IOException {
    packs.add(stream, 0, bytes("0123456789")).replace(stream, 2, bytes("bbbb"), 9).deliver();
    packs.replace(stream, 2, bytes("cccc"), 9).deliver();
    assertEquals(RestoreResult.DOUBTFUL, only(restore(archive)).result());
    assertEquals(Outcome.PARTIAL, verify(archive).outcome());
  }

  @Test
  void aRevisionBehindTheEndIsNotUsedAndNamed() throws IOException {
    packs.add(stream, 0, bytes("0123456789")).replace(stream, 8, bytes("xyz"), 9);
    String liar = packs.deliver();
    ArchiveIndex index = archive.index(TestArchive.options());
    ArchivedStream found = index.find(stream.id.text()).orElseThrow();
    assertEquals(10, found.knownEndBytes());
    assertEquals(List.of(liar), found.damages().stream().map(Damage::key).toList());
    restore(archive);
    assertFile("p/file", bytes("0123456789"));
    assertTrue(verify(archive).outcome() != Outcome.DONE);
  }

  @Test
  void whatADamagedRevisionHadIsMissingAndNotTakenFromALowerOne() throws IOException {
    packs.add(stream, 0, bytes("0123456789")).deliver();
    packs.replace(stream, 2, bytes("bbbb"), 9);
    archive.damage(packs.deliver(), 1);
    assertEquals(List.of(new ByteRange(2, 6)), only(restore(archive)).missing());
    assertEquals(Outcome.PARTIAL, verify(archive).outcome());
  }

  @Test
  void aPlainRevisionReplacesNothingThatIsEncrypted() throws IOException {
    TestPacks sealed = new TestPacks(archive, "web-1", 1, List.of(KEYS.recipient()));
    sealed.add(stream, 0, bytes("0123456789")).deliver();
    packs.replace(stream, 2, bytes("bbbb"), Long.MAX_VALUE).deliver();
    for (boolean allowPlain : new boolean[] {false, true}) {
      ReadOptions reading =
          TestArchive.options().withIdentities(List.of(KEYS.identity())).withAllowPlain(allowPlain);
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      ArchivedStream found = archive.index(reading).find(stream.id.text()).orElseThrow();
      new StreamPrinter(archive.destination, reading, RestoreProgress.none()).print(found, printed);
      assertArrayEquals(
          bytes("0123456789"), printed.toByteArray(), Arrays.toString(printed.toByteArray()));
    }
  }
}
