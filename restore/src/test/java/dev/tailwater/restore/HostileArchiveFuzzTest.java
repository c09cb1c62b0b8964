package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.PathSource;
import dev.tailwater.restore.name.TargetNames;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.read.IncompleteStreamException;
import dev.tailwater.restore.read.StreamPrinter;
import dev.tailwater.restore.verify.VerifiedStream;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Archives that somebody made who may write what he likes: segments that overlap and disagree,
 * plain ones among encrypted ones, headers and records that claim the paths of others, ids of
 * others.
 */
class HostileArchiveFuzzTest extends RestoreFixture {
  private static final int ROUNDS = 150;
  private static final int LENGTH = 60;
  private static final List<String> PATHS =
      List.of("/a", "/a/b", "/a/b/c", "/etc/app.conf", "/etc", "/../x", "/d\u001b", "/é");
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());

  /** One segment. */
  private static final class Made {
    final ByteRange range;
    final byte[] bytes;
    final boolean encrypted;
    final boolean whole;

    Made(ByteRange range, byte[] bytes, boolean encrypted, boolean whole) {
      this.range = range;
      this.bytes = bytes;
      this.encrypted = encrypted;
      this.whole = whole;
    }

    boolean opens(ReadOptions reading) {
      boolean key = encrypted ? !reading.identities().isEmpty() : !reading.refusesPlain();
      return whole && key;
    }
  }

  /** What was put into the archive of one stream. */
  private static final class Faked {
    final TestArchive.TestStream stream;
    final List<Made> segments = new ArrayList<>();
    final Set<String> keys = new HashSet<>();

    /** How long the file was at its end, if its record tells one. */
    OptionalInt endBytes = OptionalInt.empty();

    Faked(TestArchive.TestStream stream) {
      this.stream = stream;
    }

    /**
     * The segments whose bytes may be used at an offset; empty where one may be, and is damaged.
     */
    List<Made> usable(ReadOptions reading, int offset) {
      List<Made> there =
          segments.stream()
              .filter(one -> one.encrypted || !reading.refusesPlain())
              .filter(one -> one.range.startBytes() <= offset && offset < one.range.endBytes())
              .toList();
      boolean encrypted = there.stream().anyMatch(one -> one.encrypted);
      return there.stream()
          .filter(one -> one.encrypted == encrypted && one.opens(reading))
          .toList();
    }

    /** Whether its end is told, and no segment that is not refused has the byte behind it. */
    boolean hasEnded(ReadOptions reading) {
      return endBytes.isPresent()
          && segments.stream()
              .filter(one -> one.encrypted || !reading.refusesPlain())
              .noneMatch(
                  one ->
                      one.range.startBytes() <= endBytes.getAsInt()
                          && endBytes.getAsInt() < one.range.endBytes());
    }

    /** Whether two whole segments that are not refused have different bytes somewhere. */
    boolean isContradictory(ReadOptions reading) {
      for (int offset = 0; offset < LENGTH; offset++) {
        int at = offset;
        long different =
            segments.stream()
                .filter(one -> one.opens(reading))
                .filter(one -> one.range.startBytes() <= at && at < one.range.endBytes())
                .map(one -> one.bytes[at - (int) one.range.startBytes()])
                .distinct()
                .count();
        if (different > 1) {
          return true;
        }
      }
      return false;
    }
  }

  @Test
  void whateverTheArchiveClaimsNothingIsBelievedSilently() {
    rounds(ROUNDS, (random, target) -> new Round(random, target).run());
  }

  /** One archive. */
  private static final class Round {
    private final Random random;
    private final Path target;
    private final TestArchive archive = TestArchive.inMemory();
    private final Map<String, Faked> faked = new HashMap<>();
    private final ReadOptions reading;

    Round(Random random, Path directory) {
      this.random = random;
      this.target = directory.resolve("target");
      this.reading =
          TestArchive.options()
              .withIdentities(random.nextInt(4) > 0 ? List.of(KEYS.identity()) : List.of())
              .withAllowPlain(random.nextBoolean())
              .withJobs(1 + random.nextInt(3));
    }

    void run() throws IOException {
      Files.createDirectories(target.getParent());
      int streams = 1 + random.nextInt(6);
      for (int i = 0; i < streams; i++) {
        fake(i);
      }
      ArchiveIndex index = archive.index(reading);
      RestoreOptions options = RestoreOptions.of(reading).withSync(false);
      RestoreReport report =
          new Restorer(CALLS, archive.destination, options, RestoreProgress.none())
              .restore(index, PosixPath.of(target));
      VerifyReport verified =
          new Verifier(archive.destination, reading, RestoreProgress.none()).verify(index);

      assertNothingOutside();
      assertEquals(report.contested(), verified.contested());
      assertEquals(report.contested(), TargetNames.of(index).contested());
      for (int i = 0; i < index.streams().size(); i++) {
        checkBytes(index.streams().get(i), report.streams().get(i), verified.streams().get(i));
      }
      checkNames(index, report);
      if (report.outcome() == Outcome.DONE) {
        assertEquals(List.of(), report.contested());
      }
    }

    private void fake(int number) throws IOException {
      String agent = random.nextInt(4) == 0 ? "web-2" : "web-1";
      PosixPath birth = PosixPath.of(PATHS.get(random.nextInt(PATHS.size())));
      TestArchive.TestStream stream =
          archive.stream(agent, birth, 1 + random.nextInt(3), random.nextInt(3));
      if (faked.containsKey(stream.prefix)) {
        return;
      }
      Faked fake = new Faked(stream);
      byte[] truth = new byte[LENGTH];
      random.nextBytes(truth);
      for (int count = random.nextInt(5); count >= 0; count--) {
        if (random.nextInt(3) == 0) {
          stream.path = PosixPath.of(PATHS.get(random.nextInt(PATHS.size())));
        }
        segment(fake, truth);
      }
      if (random.nextInt(3) == 0) {
        if (random.nextBoolean()) {
          fake.endBytes = OptionalInt.of(random.nextInt(LENGTH + 1));
        }
        stream.record(
            PosixPath.of(PATHS.get(random.nextInt(PATHS.size()))),
            number,
            fake.endBytes.stream()
                .mapToObj(end -> new StreamRecord.End(StreamRecord.EndReason.DELETED, end, 1))
                .findFirst());
      }
      faked.put(stream.prefix, fake);
    }

    private void segment(Faked fake, byte[] truth) throws IOException {
      int start = random.nextInt(LENGTH);
      int end = start + 1 + random.nextInt(LENGTH - start);
      byte[] bytes = Arrays.copyOfRange(truth, start, end);
      if (random.nextInt(4) == 0) {
        bytes[random.nextInt(bytes.length)] ^= 1;
      }
      boolean encrypted = random.nextInt(3) > 0;
      archive.with(new Codec.Zstd(1), encrypted ? List.of(KEYS.recipient()) : List.of());
      ByteRange range = new ByteRange(start, end);
      if (!fake.keys.add(range + " " + encrypted)) {
        return;
      }
      String key = fake.stream.segmentAt(start, bytes);
      boolean whole = random.nextInt(8) > 0;
      if (!whole) {
        archive.cutOff(key, 3);
      }
      fake.segments.add(new Made(range, bytes, encrypted, whole));
    }

    private void assertNothingOutside() throws IOException {
      try (Stream<Path> beside = Files.list(target.getParent())) {
        assertTrue(beside.allMatch(target::equals));
      }
      if (!Files.exists(target)) {
        return;
      }
      try (Stream<Path> made = Files.walk(target)) {
        for (Path directory : made.filter(Files::isDirectory).toList()) {
          assertEquals(
              "rwx------",
              PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)),
              directory.toString());
        }
      }
    }

    private void checkBytes(ArchivedStream stream, RestoredStream restored, VerifiedStream verified)
        throws IOException {
      Faked fake = fakeOf(stream);
      boolean refused =
          reading.refusesPlain() && fake.segments.stream().anyMatch(one -> !one.encrypted);
      if (refused) {
        assertNotEquals(RestoreResult.RESTORED, restored.result());
        assertTrue(
            restored.damages().stream().anyMatch(one -> one.kind() == Damage.Kind.REFUSED),
            restored.toString());
        assertTrue(!verified.isComplete(), verified.toString());
      }
      boolean contradictory = fake.isContradictory(reading);
      if (contradictory) {
        assertNotEquals(RestoreResult.RESTORED, restored.result(), restored.toString());
        assertTrue(!verified.isComplete(), verified.toString());
      }
      if (restored.result() == RestoreResult.LOCKED) {
        assertTrue(reading.identities().isEmpty());
      }
      if (restored.target().isEmpty() || !Files.exists(file(restored))) {
        assertTrue(
            restored.result() == RestoreResult.FAILED || restored.result() == RestoreResult.LOCKED);
        return;
      }
      assertEquals(
          contradictory,
          restored.damages().stream().anyMatch(one -> one.kind() == Damage.Kind.CONTRADICTED),
          restored.toString());
      byte[] bytes = Files.readAllBytes(file(restored));
      assertBytes(fake, bytes);
      assertPrinted(fake, stream, bytes);
    }

    private Path file(RestoredStream restored) {
      return target.resolve(restored.target().orElseThrow().decoded());
    }

    /** Every byte is one of a segment that may be used, and a hole where there is none. */
    private void assertBytes(Faked fake, byte[] bytes) {
      for (int offset = 0; offset < LENGTH; offset++) {
        List<Made> usable = fake.usable(reading, offset);
        if (usable.isEmpty()) {
          assertTrue(offset >= bytes.length || bytes[offset] == 0, "a byte of nobody");
          continue;
        }
        int at = offset;
        byte found = bytes[offset];
        assertTrue(
            usable.stream().anyMatch(one -> one.bytes[at - (int) one.range.startBytes()] == found),
            "a byte that no segment has, at " + offset);
      }
    }

    private void assertPrinted(Faked fake, ArchivedStream stream, byte[] restored)
        throws IOException {
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      StreamPrinter printer =
          new StreamPrinter(archive.destination, reading, RestoreProgress.none());
      try {
        StreamPrinter.Printed printed = printer.print(stream, output);
        if (!fake.isContradictory(reading)) {
          assertArrayEquals(restored, output.toByteArray());
        }
        boolean doubtful = fake.isContradictory(reading) || !stream.refused().isEmpty();
        assertEquals(doubtful, printed.isDoubtful(), printed.toString());
      } catch (NoIdentityException e) {
        assertTrue(reading.identities().isEmpty());
        assertEquals(0, output.size());
      } catch (IncompleteStreamException e) {
        int certain = (int) e.offsetBytes();
        assertEquals(certain, Math.min(certain, output.size()));
        if (!fake.isContradictory(reading)) {
          assertArrayEquals(
              Arrays.copyOf(restored, certain), Arrays.copyOf(output.toByteArray(), certain));
        }
      }
    }

    /** A file that was born at its path, and is there as far as is known, keeps it. */
    private void checkNames(ArchiveIndex index, RestoreReport report) {
      Set<PosixPath> places = new HashSet<>();
      for (int i = 0; i < index.streams().size(); i++) {
        ArchivedStream stream = index.streams().get(i);
        RestoredStream restored = report.streams().get(i);
        if (restored.target().isEmpty() || stream.path().decoded().contains("..")) {
          continue;
        }
        PosixPath place = restored.target().get();
        assertTrue(places.add(place), "two files at " + place);
        String plain = stream.path().decoded().substring(1);
        String expected = index.agents().size() > 1 ? stream.agent() + "/" + plain : plain;
        if (isRightful(stream, index.streams())) {
          assertEquals(PosixPath.of(expected), place, stream.toString());
        }
        if (isClaim(stream, index.streams())) {
          assertTrue(
              report.contested().stream().anyMatch(one -> one.path().equals(stream.path())),
              "silently placed: " + stream);
          assertNotEquals(Outcome.DONE, report.outcome());
        }
      }
    }

    /** Whether it is there, was born where it is, and nobody in its way has more than a claim. */
    private boolean isRightful(ArchivedStream stream, List<ArchivedStream> all) {
      return isLiveAndBorn(stream, all)
          && all.stream()
              .filter(other -> other != stream && other.agent().equals(stream.agent()))
              .filter(other -> isLiveAndBorn(other, all) || saysWhenItCame(other, all))
              .noneMatch(other -> collide(stream.path(), other.path()));
    }

    private boolean saysWhenItCame(ArchivedStream stream, List<ArchivedStream> all) {
      return isThere(stream, all) && stream.pathSource() == PathSource.RECORD;
    }

    /** Whether it and another one that is there too have one path, and not both from birth. */
    private boolean isClaim(ArchivedStream stream, List<ArchivedStream> all) {
      return isThere(stream, all)
          && all.stream()
              .filter(other -> other != stream && isThere(other, all))
              .filter(other -> other.agent().equals(stream.agent()))
              .filter(other -> other.path().equals(stream.path()))
              .anyMatch(other -> !isBorn(stream) || !isBorn(other));
    }

    private Faked fakeOf(ArchivedStream stream) {
      return Optional.ofNullable(faked.get(stream.prefix())).orElseThrow();
    }

    private boolean isBorn(ArchivedStream stream) {
      return stream.path().equals(fakeOf(stream).stream.birthPath);
    }

    private boolean isLiveAndBorn(ArchivedStream stream, List<ArchivedStream> all) {
      return isThere(stream, all) && stream.isVouchedFor() && isBorn(stream);
    }

    /** Whether its end is not told, nor that it began anew by anybody who may say so. */
    private boolean isThere(ArchivedStream stream, List<ArchivedStream> all) {
      return !fakeOf(stream).hasEnded(reading)
          && all.stream()
              .noneMatch(
                  other ->
                      other.agent().equals(stream.agent())
                          && (other.isVouchedFor() || other.path().equals(stream.path()))
                          && other.id().withoutEpoch().equals(stream.id().withoutEpoch())
                          && other.id().epoch() > stream.id().epoch());
    }

    private static boolean collide(PosixPath one, PosixPath other) {
      return one.startsWith(other) || other.startsWith(one);
    }
  }
}
