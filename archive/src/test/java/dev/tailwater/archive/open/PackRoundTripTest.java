package dev.tailwater.archive.open;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.archive.Property;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PackRoundTripTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final PackId ID = new PackId("web-1", new PackGroup("9hq8uvlhiuj8l-0fk3v9a1"), 17);
  private static final int FRONT_BYTES = 1 << 20;

  /** A pack's object, and what was put into it. */
  private record Packed(
      PackName name,
      PackDirectory directory,
      @SuppressWarnings("ArrayRecordComponent") byte[] object,
      List<byte[]> contents) {
    OpenedPack open(List<Identity> identities) throws IOException {
      byte[] front = Arrays.copyOf(object, Math.min(object.length, PackOpener.wantedBytes(name)));
      return new PackOpener().open(name, new ByteArrayInputStream(front), identities);
    }

    byte[] part(ByteRange range) {
      return Arrays.copyOfRange(object, (int) range.startBytes(), (int) range.endBytes());
    }
  }

  private static PackedStream stream(int number) {
    PosixPath path = PosixPath.of("/var/log/app/" + number + ".log");
    return new PackedStream(number, Segments.STREAM.withEpoch(number), path, path, 0640);
  }

  private static Packed pack(Random random, Codec codec, List<Recipient> recipients) {
    try (PackSealer sealer =
        new PackSealer(codec, recipients, Optional.of(Segments.CONTENT_KEY), new SecureRandom())) {
      sealer.begin(new TestArray(random.nextInt(4 << 20), 48 << 20), ID, FRONT_BYTES);
      List<byte[]> contents = new ArrayList<>();
      for (int number = 0; number < 1 + random.nextInt(60); number++) {
        sealer.describe(stream(number));
        if (random.nextInt(8) == 0) {
          sealer.say(new StreamFact.Attributes(number, 0600, 0, 77, 78));
          continue;
        }
        long start = random.nextInt(1000);
        for (int i = random.nextInt(3); i >= 0; i--) {
          int length = random.nextInt(12) == 0 ? random.nextInt(1_400_000) : random.nextInt(9000);
          byte[] content = Segments.lines(random.nextLong(), length + 1);
          add(sealer, number, start, content, random);
          if (random.nextInt(5) == 0) {
            sealer.dropRange();
          } else {
            sealer.endRange(random.nextLong() >> 8);
            contents.add(content);
            start += content.length + random.nextInt(2);
          }
        }
      }
      return copy(sealer.finish(Segments.SEALED_MILLIS), contents);
    }
  }

  private static void add(
      PackSealer sealer, int number, long start, byte[] content, Random random) {
    sealer.beginRange(number, start, content.length);
    int at = 0;
    while (at < content.length) {
      int part = Math.min(content.length - at, 1 + random.nextInt(300_000));
      assertTrue(sealer.hasRoomFor(part));
      sealer.append(content, at, part);
      at += part;
    }
  }

  private static Packed copy(SealedPack pack, List<byte[]> contents) {
    byte[] object =
        Arrays.copyOfRange(pack.staging(), pack.from(), pack.from() + pack.lengthBytes());
    return new Packed(pack.name(), pack.directory(), object, contents);
  }

  /** Collects the ranges of a slice. */
  private static final class Collector implements PackSlice.Sink {
    final List<byte[]> ranges = new ArrayList<>();
    private final ByteArrayOutputStream range = new ByteArrayOutputStream();

    @Override
    public void begin(PackedRange begun) {
      range.reset();
    }

    @Override
    public void accept(byte[] bytes, int lengthBytes) {
      range.write(bytes, 0, lengthBytes);
    }

    @Override
    public void end(PackedRange ended) {
      assertEquals(ended.range().lengthBytes(), range.size());
      ranges.add(range.toByteArray());
    }
  }

  private static List<byte[]> read(Packed packed, OpenedPack opened, int from, int to)
      throws IOException {
    PackSlice slice = opened.slice(from, to);
    Collector collector = new Collector();
    slice.read(new ByteArrayInputStream(packed.part(slice.objectRange())), collector);
    return collector.ranges;
  }

  private static void assertSame(List<byte[]> expected, List<byte[]> actual) {
    assertEquals(expected.size(), actual.size());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), actual.get(i));
    }
  }

  @Test
  void everyRangeComesBackAloneAndWithItsNeighbours() {
    Property.holds(
        60,
        random -> {
          Codec codec = random.nextBoolean() ? new Codec.Zstd(1) : new Codec.Store();
          boolean encrypted = random.nextBoolean();
          Packed packed = pack(random, codec, encrypted ? List.of(KEYS.recipient()) : List.of());
          assertEquals(encrypted, packed.name().encrypted());
          OpenedPack opened = packed.open(List.of(KEYS.identity()));
          assertEquals(packed.directory(), opened.directory());
          assertEquals(packed.object().length, opened.objectBytes());
          int count = packed.contents().size();
          if (count == 0) {
            return;
          }
          assertSame(packed.contents(), read(packed, opened, 0, count));
          int from = random.nextInt(count);
          int to = from + 1 + random.nextInt(count - from);
          assertSame(packed.contents().subList(from, to), read(packed, opened, from, to));
        });
  }

  @Test
  void anAgentReadsItsDirectoriesWithoutAPrivateKey() {
    Property.holds(
        20,
        random -> {
          Packed packed = pack(random, new Codec.Zstd(1), List.of(KEYS.recipient()));
          PackOpener opener = new PackOpener();
          PackDirectory known =
              opener
                  .openForAgent(
                      packed.name(),
                      new ByteArrayInputStream(packed.object()),
                      Optional.of(Segments.CONTENT_KEY))
                  .getFirst();
          assertEquals(packed.directory().streams(), known.streams());
          assertEquals(
              packed.directory().ranges().stream().map(PackedRange::range).toList(),
              known.ranges().stream().map(PackedRange::range).toList());
          byte[] other = new byte[ContentKey.KEY_BYTES];
          other[0] = 1;
          assertTrue(
              opener
                  .openForAgent(
                      packed.name(),
                      new ByteArrayInputStream(packed.object()),
                      Optional.of(ContentKey.of(other)))
                  .isEmpty());
          assertThrows(
              NoIdentityException.class,
              () -> packed.open(List.of(KeyPair.generate(new SecureRandom()).identity())));
        });
  }

  @Test
  void noFlippedBitGivesOtherBytes() {
    for (List<Recipient> recipients : List.of(List.<Recipient>of(), List.of(KEYS.recipient()))) {
      Packed packed = pack(new Random(11), new Codec.Zstd(1), recipients);
      Property.holds(
          300,
          random -> {
            byte[] object = packed.object().clone();
            object[random.nextInt(object.length)] ^= (byte) (1 << random.nextInt(8));
            Packed flipped =
                new Packed(packed.name(), packed.directory(), object, packed.contents());
            try {
              OpenedPack opened = flipped.open(List.of(KEYS.identity()));
              assertEquals(packed.directory(), opened.directory());
              assertSame(packed.contents(), read(flipped, opened, 0, packed.contents().size()));
            } catch (ArchiveException refused) {
              assertEquals(packed.name().key(), refused.key());
            }
          });
    }
  }

  @Test
  void everyTruncationIsFound() {
    for (List<Recipient> recipients : List.of(List.<Recipient>of(), List.of(KEYS.recipient()))) {
      Packed packed = pack(new Random(12), new Codec.Zstd(1), recipients);
      Property.holds(
          100,
          random -> {
            byte[] cut = Arrays.copyOf(packed.object(), random.nextInt(packed.object().length));
            Packed shorter = new Packed(packed.name(), packed.directory(), cut, List.of());
            assertThrows(
                ArchiveException.class,
                () -> {
                  OpenedPack opened = shorter.open(List.of(KEYS.identity()));
                  PackSlice slice = opened.slice(0, packed.contents().size());
                  int from = (int) Math.min(cut.length, slice.objectRange().startBytes());
                  slice.read(
                      new ByteArrayInputStream(cut, from, cut.length - from), new Collector());
                });
          });
    }
  }

  @Test
  void aFullStagingArrayOrDirectoryIsSaidBeforeAnythingIsLost() {
    try (PackSealer sealer =
        new PackSealer(new Codec.Store(), List.of(), Optional.empty(), new SecureRandom())) {
      sealer.begin(new byte[100_000], ID, 2000);
      int described = 0;
      while (sealer.hasRoomFor(stream(described))) {
        sealer.describe(stream(described++));
      }
      assertTrue(described > 0 && described < 40, described + " streams");
      assertThrows(IllegalStateException.class, () -> sealer.describe(stream(99)));
      sealer.beginRange(0, 0, 90_000);
      assertTrue(sealer.hasRoomFor(90_000));
      sealer.append(new byte[90_000], 0, 90_000);
      assertThrows(IllegalStateException.class, () -> sealer.append(new byte[20_000], 0, 20_000));
      sealer.endRange(0);
      assertEquals(90_000, sealer.finish(0).directory().rawBytes());
    }
  }

  @Test
  void addsWhatThereIsRoomForHoweverLongTheFrontIs() {
    byte[] array = new byte[4 * 1024 * 1024];
    try (PackSealer sealer =
        new PackSealer(new Codec.Zstd(1), List.of(), Optional.empty(), new SecureRandom())) {
      for (int rangeBytes : new int[] {472, sealer.blockBytes() * 3 / 4}) {
        byte[] raw = new byte[rangeBytes];
        for (int frontBytes = 2000; frontBytes < 2300; frontBytes++) {
          sealer.begin(array, ID, frontBytes);
          int count = 0;
          while (sealer.hasRoomFor(stream(count), rangeBytes)) {
            sealer.describe(stream(count));
            sealer.beginRange(count, 0, rangeBytes);
            sealer.append(raw, 0, rangeBytes);
            sealer.endRange(0);
            count++;
          }
          assertEquals(count, sealer.finish(0).directory().ranges().size());
        }
      }
    }
  }

  @Test
  void asManyStreamsAsAPackMayHaveLeaveRoomForFactsAndRanges() {
    PackedStream stream = stream(7);
    int frontBytes = 160 * PackDirectory.MAX_ENTRIES;
    try (PackSealer sealer =
        new PackSealer(new Codec.Store(), List.of(), Optional.empty(), new SecureRandom())) {
      sealer.begin(new byte[frontBytes + 1000], ID, frontBytes);
      for (int i = 0; i < PackDirectory.MAX_ENTRIES; i++) {
        sealer.describe(stream); // Again and again: the last word counts.
      }
      assertFalse(sealer.hasRoomFor(stream));
      sealer.say(new StreamFact.Renamed(7, PosixPath.of("/b"), 0));
      sealer.beginRange(7, 0, 100);
      sealer.append(new byte[100], 0, 100);
      sealer.endRange(0);
      PackDirectory directory = sealer.finish(0).directory();
      assertEquals(List.of(stream), directory.streams());
      assertEquals(1, directory.facts().size());
      assertEquals(100, directory.rawBytes());
    }
  }

  /** A file may be renamed, or change its mode, while the pack is filled. */
  @Test
  void whatIsDescribedAgainIsDescribedAsItWasLast() {
    Property.holds(
        20,
        random -> {
          try (PackSealer sealer =
              new PackSealer(new Codec.Zstd(1), List.of(), Optional.empty(), new SecureRandom())) {
            sealer.begin(new byte[1 << 20], ID, FRONT_BYTES);
            Map<Integer, PackedStream> last = new TreeMap<>();
            for (int i = 0; i < 1 + random.nextInt(30); i++) {
              PackedStream usual = stream(random.nextInt(10));
              PackedStream described =
                  new PackedStream(
                      usual.number(),
                      usual.stream(),
                      usual.birthPath(),
                      PosixPath.of("/var/log/" + i),
                      random.nextInt(01000));
              sealer.describe(described);
              last.put(described.number(), described);
            }
            Packed packed = copy(sealer.finish(Segments.SEALED_MILLIS), List.of());
            assertEquals(List.copyOf(last.values()), packed.open(List.of()).directory().streams());
          }
        });
  }

  @Test
  void packsAreNeverGzip() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new PackSealer(new Codec.Gzip(6), List.of(), Optional.empty(), new SecureRandom()));
  }
}
