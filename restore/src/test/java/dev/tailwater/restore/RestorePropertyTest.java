package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
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
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Random files, cut into random segments that overlap, with random gaps, losses and damage. */
class RestorePropertyTest extends RestoreFixture {
  private static final int ROUNDS = 40;
  private static final List<Codec> CODECS =
      List.of(new Codec.Zstd(1), new Codec.Gzip(1), new Codec.Store());

  /** One file, and what of it can be had. */
  private static final class Original {
    final byte[] contents;
    final RangeSet goodEncrypted = new RangeSet();
    final RangeSet goodPlain = new RangeSet();
    final RangeSet encrypted = new RangeSet();
    final RangeSet stored = new RangeSet();
    final RangeSet gaps = new RangeSet();
    final Set<String> keys = new HashSet<>();
    final String path;
    boolean plain;

    Original(String path, byte[] contents) {
      this.path = path;
      this.contents = contents;
    }

    /** What can be had: of plain segments only what no encrypted one has, damaged or not. */
    RangeSet good(boolean allowPlain) {
      RangeSet good = new RangeSet();
      goodEncrypted.ranges().forEach(good::add);
      if (allowPlain) {
        for (ByteRange range : goodPlain.ranges()) {
          encrypted.missing(range).forEach(good::add);
        }
      }
      return good;
    }

    /** What a restore must give: zeros where nothing is known, and no longer than what is. */
    byte[] expected(RangeSet good) {
      List<ByteRange> ranges = good.ranges();
      int end = ranges.isEmpty() ? 0 : (int) ranges.getLast().endBytes();
      byte[] expected = Arrays.copyOf(contents, end);
      for (ByteRange hole : good.missing(new ByteRange(0, end))) {
        Arrays.fill(expected, (int) hole.startBytes(), (int) hole.endBytes(), (byte) 0);
      }
      return expected;
    }
  }

  @Test
  void whateverTheCutsTheFilesComeBackOrWhatIsMissingIsNamed() {
    rounds(ROUNDS, this::round);
  }

  private void round(Random random, Path target) throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    TestArchive archive = TestArchive.inMemory();
    List<Original> originals = new ArrayList<>();
    int files = 1 + random.nextInt(4);
    for (int i = 0; i < files; i++) {
      originals.add(stream(archive, random, keys, "/p/file" + i, i + 1));
    }
    ReadOptions reading =
        TestArchive.options()
            .withIdentities(List.of(keys.identity()))
            .withAllowPlain(random.nextBoolean())
            .withJobs(1 + random.nextInt(4));
    ArchiveIndex index = archive.index(reading);
    RestoreReport report =
        new Restorer(
                CALLS,
                archive.destination,
                RestoreOptions.of(reading).withSync(false),
                RestoreProgress.none())
            .restore(index, PosixPath.of(target));
    VerifyReport verified =
        new Verifier(archive.destination, reading, RestoreProgress.none()).verify(index);
    // A stream of which nothing at all was delivered is not in the archive.
    originals.removeIf(original -> original.stored.isEmpty() && original.gaps.isEmpty());
    assertEquals(originals.size(), report.streams().size());
    for (int i = 0; i < originals.size(); i++) {
      assertEquals(PosixPath.of(originals.get(i).path), report.streams().get(i).path());
      new Check(originals.get(i), reading.allowPlain())
          .run(report.streams().get(i), verified.streams().get(i), target);
      print(archive, reading, index.streams().get(i), originals.get(i));
    }
  }

  private static Original stream(
      TestArchive archive, Random random, KeyPair keys, String path, int birth) throws IOException {
    Original original = new Original(path, contents(random));
    TestArchive.TestStream stream = archive.stream(path, birth);
    int length = original.contents.length;
    int at = 0;
    while (at < length) {
      int end = Math.min(length, at + 1 + random.nextInt(20_000));
      int choice = random.nextInt(12);
      if (choice == 0) {
        stream.gap(at, end, "gone");
        original.gaps.add(new ByteRange(at, end));
      } else if (choice > 1) {
        segment(archive, stream, random, keys, original, at, end);
      }
      at = end;
    }
    for (int merged = random.nextInt(4); merged > 0 && length > 0; merged--) {
      int start = random.nextInt(length);
      int end = start + 1 + random.nextInt(length - start);
      segment(archive, stream, random, keys, original, start, end);
    }
    return original;
  }

  private static void segment(
      TestArchive archive,
      TestArchive.TestStream stream,
      Random random,
      KeyPair keys,
      Original original,
      int start,
      int end)
      throws IOException {
    ByteRange range = new ByteRange(start, end);
    boolean encrypted = random.nextInt(4) > 0;
    archive.with(
        CODECS.get(random.nextInt(CODECS.size())),
        encrypted ? List.of(keys.recipient()) : List.of());
    String key = stream.segment(original.contents, start, end);
    original.stored.add(range);
    original.plain |= !encrypted;
    if (encrypted) {
      original.encrypted.add(range);
    }
    // A key that exists already keeps its first object, damaged or not.
    if (original.keys.add(key)) {
      int fate = random.nextInt(20);
      if (fate == 0) {
        // The checksum at the end; elsewhere gzip has bits that mean nothing.
        archive.damage(key, 1 + random.nextInt(4));
      } else if (fate == 1) {
        archive.cutOff(key, 1 + random.nextInt(20));
      } else {
        (encrypted ? original.goodEncrypted : original.goodPlain).add(range);
      }
    }
  }

  private static byte[] contents(Random random) {
    byte[] contents = new byte[random.nextInt(100_000)];
    random.nextBytes(contents);
    for (int zeros = random.nextInt(4); zeros > 0 && contents.length > 0; zeros--) {
      int start = random.nextInt(contents.length);
      int end = Math.min(contents.length, start + random.nextInt(30_000));
      Arrays.fill(contents, start, end, (byte) 0);
    }
    return contents;
  }

  private record Check(Original original, boolean allowPlain) {
    void run(RestoredStream restored, VerifiedStream verified, Path target) throws IOException {
      RangeSet good = original.good(allowPlain);
      RangeSet known = new RangeSet();
      good.ranges().forEach(known::add);
      // A gap explains nothing that a segment has after all, damaged or not.
      RangeSet usable = allowPlain ? original.stored : original.encrypted;
      original.gaps.ranges().forEach(gap -> usable.missing(gap).forEach(known::add));
      long end = 0;
      for (RangeSet set : List.of(original.stored, original.gaps)) {
        end = set.isEmpty() ? end : Math.max(end, set.ranges().getLast().endBytes());
      }
      List<ByteRange> missing = known.missing(new ByteRange(0, end));
      assertEquals(missing, restored.missing(), "missing");
      assertEquals(missing, verified.missing(), "missing, says verify");
      assertEquals(good.totalBytes(), verified.bytes(), "bytes, says verify");
      if (restored.result() == RestoreResult.FAILED) {
        assertEquals(0, good.totalBytes());
        return;
      }
      assertArrayEquals(
          original.expected(good), Files.readAllBytes(target.resolve(original.path.substring(1))));
      boolean complete = good.contains(new ByteRange(0, end));
      boolean refused = original.plain && !allowPlain;
      assertEquals(complete && !refused, restored.result() == RestoreResult.RESTORED);
      assertEquals(complete && refused, restored.result() == RestoreResult.DOUBTFUL);
    }
  }

  /** What is printed is a prefix, and all of it when all is there. */
  private static void print(
      TestArchive archive, ReadOptions reading, ArchivedStream stream, Original original)
      throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    StreamPrinter printer = new StreamPrinter(archive.destination, reading, RestoreProgress.none());
    long certain;
    try {
      certain = printer.print(stream, output).bytes();
      assertEquals(stream.knownEndBytes(), certain);
    } catch (IncompleteStreamException e) {
      certain = e.offsetBytes();
    }
    assertArrayEquals(
        Arrays.copyOf(original.contents, (int) certain),
        Arrays.copyOf(output.toByteArray(), (int) certain));
  }
}
