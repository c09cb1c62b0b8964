package dev.tailwater.archive.pack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.Property;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class PackDirectoryFormatTest {
  private static final PackId ID = new PackId("web-1", new PackGroup("9hq8uvlhiuj8l-0fk3v9a1"), 17);
  private static final String KEY = "the key";

  private static StreamId stream(int epoch) {
    return new StreamId("9hq8uvlhiuj8l-91cthkk18sn9dib7-0000000").withEpoch(epoch);
  }

  private static PosixPath path(Random random) {
    byte[] name = new byte[1 + random.nextInt(40)];
    random.nextBytes(name);
    for (int i = 0; i < name.length; i++) {
      if (name[i] == 0 || name[i] == '/') {
        name[i] = 'x';
      }
    }
    byte[] path = new byte[name.length + 1];
    path[0] = '/';
    System.arraycopy(name, 0, path, 1, name.length);
    return PosixPath.of(path);
  }

  private static PackDirectory directory(Random random) {
    if (random.nextInt(4) == 0) {
      List<PackUnit> none = List.of();
      return new PackDirectory(
          ID, 1_795_000_002_000L, none, List.of(), List.of(), List.of(), tree(random));
    }
    List<PackedStream> streams = new ArrayList<>();
    List<PackedRange> ranges = new ArrayList<>();
    List<StreamFact> facts = new ArrayList<>();
    int number = random.nextInt(3);
    long raw = 0;
    for (int i = random.nextInt(50); i > 0; i--) {
      PosixPath birth = path(random);
      PosixPath path = random.nextBoolean() ? birth : path(random);
      if (random.nextInt(3) > 0) {
        streams.add(
            new PackedStream(
                number,
                stream(number),
                birth,
                path,
                random.nextInt(010000),
                owner(random),
                arrivalNanos(random)));
      }
      long start = random.nextLong() >>> (2 + random.nextInt(60));
      long revision = random.nextBoolean() ? 0 : random.nextLong() >>> (1 + random.nextInt(63));
      for (int j = random.nextInt(3); j > 0; j--) {
        long length = 1L + random.nextInt(100_000);
        ranges.add(
            new PackedRange(
                number,
                new ByteRange(start, start + length),
                random.nextInt(),
                1_795_000_001_987_654_321L + (random.nextLong() >> random.nextInt(64)),
                revision,
                random.nextBoolean() ? 0 : random.nextLong() >>> (1 + random.nextInt(63))));
        start += length + random.nextInt(2);
        raw += length;
      }
      facts.addAll(facts(number, random));
      number += 1 + random.nextInt(5);
    }
    List<PackUnit> units = new ArrayList<>();
    while (raw > 0) {
      long unit = Math.min(raw, 1 + random.nextInt(1 << 20));
      units.add(new PackUnit(unit, 1 + random.nextInt(1 << 20)));
      raw -= unit;
    }
    return new PackDirectory(ID, 1_795_000_002_000L, units, streams, ranges, facts);
  }

  private static OptionalLong arrivalNanos(Random random) {
    return random.nextInt(4) == 0
        ? OptionalLong.empty()
        : OptionalLong.of(1 | random.nextLong() >> random.nextInt(64));
  }

  private static Optional<FileOwner> owner(Random random) {
    return random.nextInt(4) == 0
        ? Optional.empty()
        : Optional.of(
            new FileOwner(
                random.nextInt(3),
                random.nextLong(FileOwner.MAX_ID + 1),
                random.nextBoolean() ? "" : "www-data",
                random.nextBoolean() ? "" : "gruppe-ä"));
  }

  private static Optional<StreamId> fileId(Random random) {
    FileIdentity file =
        new FileIdentity(
            random.nextLong(), random.nextLong(), OptionalLong.empty(), OptionalLong.empty());
    return random.nextBoolean() ? Optional.empty() : Optional.of(StreamId.of("agent", file, 0));
  }

  private static PosixPath name(Random random) {
    PosixPath name = path(random).fileName();
    boolean links = name.toString().equals(".") || name.toString().equals("..");
    return links ? PosixPath.of("...") : name;
  }

  private static DirectoryStatement.Attributes attributes(int permissions, Random random) {
    return new DirectoryStatement.Attributes(permissions, owner(random), random.nextLong() >> 2);
  }

  private static PackedTree tree(Random random) {
    List<DirectoryStatement> directories = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      List<PosixPath> inside = new ArrayList<>();
      List<DirectoryStatement.Link> links = new ArrayList<>();
      List<DirectoryStatement.FurtherName> further = new ArrayList<>();
      for (int j = random.nextInt(4); j > 0; j--) {
        inside.add(name(random));
        links.add(
            new DirectoryStatement.Link(name(random), path(random), attributes(0777, random)));
        further.add(new DirectoryStatement.FurtherName(name(random), path(random), fileId(random)));
      }
      directories.add(
          new DirectoryStatement(
              path(random),
              random.nextInt(5) == 0
                  ? Optional.empty()
                  : Optional.of(
                      new DirectoryStatement.Contents(
                          attributes(random.nextInt(010000), random),
                          inside,
                          links,
                          further,
                          extended(random)))));
    }
    List<AttributeStatement> files = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      files.add(new AttributeStatement(stream(0), extended(random)));
    }
    return new PackedTree(directories, files, random.nextBoolean());
  }

  private static ExtendedAttributes extended(Random random) {
    Map<String, byte[]> values = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      byte[] value = new byte[random.nextInt(3) * 40];
      random.nextBytes(value);
      values.put("user." + random.nextInt(100), value);
    }
    return ExtendedAttributes.of(values);
  }

  private static VarintWriter attributesOf(String id, VarintWriter value) {
    VarintWriter out = withoutStreams();
    out.unsigned(1);
    out.unsigned(0);
    out.unsigned(1);
    out.text(id.getBytes(US_ASCII));
    out.text(value.toByteArray());
    return out;
  }

  private static VarintWriter attribute(int count, byte[] name, byte[] value) {
    VarintWriter out = new VarintWriter();
    out.unsigned(count);
    for (int i = 0; i < count; i++) {
      out.text(name);
      out.text(value);
    }
    return out;
  }

  @Test
  void attributesThatNoFileCanHaveAreRefused() throws Exception {
    String id = stream(0).text();
    byte[] name = "user.a".getBytes(US_ASCII);
    byte[] good = attributesOf(id, attribute(1, name, new byte[65_536])).toByteArray();
    assertEquals(1, decode(stored(good, 0, good.length)).tree().files().size());
    refused(attributesOf(id, attribute(1, name, new byte[65_537])));
    refused(attributesOf(id, attribute(2, name, new byte[1])));
    refused(attributesOf(id, attribute(1, new byte[0], new byte[1])));
    refused(attributesOf(id, attribute(1, new byte[] {'a', 0}, new byte[1])));
    refused(attributesOf(id, attribute(1, new byte[256], new byte[1])));
    refused(attributesOf("x".repeat(38), attribute(0, name, name)));
    refused(attributesOf(stream(1).withEpoch(1).text(), attribute(0, name, name)));
    VarintWriter many = new VarintWriter();
    many.unsigned(5);
    for (int i = 0; i < 5; i++) {
      many.text(("user." + i).getBytes(US_ASCII));
      many.text(new byte[65_536]);
    }
    refused(attributesOf(id, many));
    VarintWriter claim = new VarintWriter();
    claim.unsigned(1L << 40);
    refused(attributesOf(id, claim));
    VarintWriter files = withoutStreams();
    files.unsigned(1);
    files.unsigned(0);
    files.unsigned(1L << 40);
    refused(files);
  }

  /** The content of a directory without streams, up to what it says of directories. */
  private static VarintWriter withoutStreams() {
    VarintWriter out = head();
    zeros(out, 5); // No units, owners, streams, ranges, facts.
    return out;
  }

  /** What comes before the units. */
  private static VarintWriter head() {
    VarintWriter out = new VarintWriter();
    out.text(new byte[] {'w', 'e', 'b', '-', '1'});
    out.text(ID.group().text().getBytes(US_ASCII));
    out.unsigned(ID.first());
    out.unsigned(0);
    out.signed(0);
    return out;
  }

  private static void refused(VarintWriter lie) {
    byte[] content = lie.toByteArray();
    assertThrows(DamagedSegmentException.class, () -> decode(stored(content, 0, content.length)));
  }

  private static VarintWriter statement(String path, byte[] name) {
    VarintWriter value = new VarintWriter();
    value.unsigned(1);
    value.unsigned(0755);
    value.unsigned(0);
    value.signed(0);
    value.unsigned(1);
    value.text(name);
    value.unsigned(0);
    value.unsigned(0);
    VarintWriter out = withoutStreams();
    out.unsigned(0);
    out.unsigned(1);
    out.text(path.getBytes(US_ASCII));
    out.text(value.toByteArray());
    return out;
  }

  @Test
  void namesThatLeadElsewhereAreRefused() throws Exception {
    byte[] good = statement("/a", new byte[] {'b'}).toByteArray();
    assertEquals(1, decode(stored(good, 0, good.length)).tree().directories().size());
    for (String name : List.of("", ".", "..", "a/b", "/", "a\0b", "x".repeat(256))) {
      refused(statement("/a", name.getBytes(US_ASCII)));
    }
    for (String path : List.of("", "relative", "/" + "x".repeat(4096))) {
      refused(statement(path, new byte[] {'b'}));
    }
  }

  @Test
  void moreNamesThanAPackMayHaveAreRefused() {
    VarintWriter lie = withoutStreams();
    lie.unsigned(0);
    lie.unsigned(PackedTree.MAX_NAMES + 1L);
    for (int i = 0; i <= PackedTree.MAX_NAMES; i++) {
      lie.text(new byte[] {'/'});
      lie.text(new byte[] {0});
    }
    refused(lie);
  }

  @Test
  void moreUnitsThanASignatureCoversAreRefused() {
    VarintWriter lie = head();
    lie.unsigned(PackDirectory.MAX_UNITS + 1L);
    zeros(lie, 2 * (PackDirectory.MAX_UNITS + 1));
    refused(lie, "units");
  }

  @Test
  void moreEntriesThanAPackMayHaveAreRefused() {
    moreAreRefused("owners", 1, 4);
    moreAreRefused("streams", 2, 45);
    moreAreRefused("ranges", 3, 10);
    moreAreRefused("facts", 4, 3);
  }

  /**
   * Asserts that a directory with one entry too many of a kind is refused, though it is long
   * enough.
   *
   * @param emptyBefore how many lists are empty before it
   */
  private static void moreAreRefused(String kind, int emptyBefore, int bytesEach) {
    int more = PackDirectory.MAX_ENTRIES + 1;
    VarintWriter lie = head();
    zeros(lie, emptyBefore);
    lie.unsigned(more);
    zeros(lie, bytesEach * more);
    refused(lie, kind);
  }

  @Test
  void moreAttributesThanAPackMayHaveAreRefused() {
    int ofEach = 10_000;
    VarintWriter attributes = new VarintWriter();
    attributes.unsigned(ofEach);
    for (int i = 0; i < ofEach; i++) {
      attributes.ascii(Integer.toString(i));
      attributes.unsigned(0);
    }
    VarintWriter lie = withoutStreams();
    lie.unsigned(0);
    lie.unsigned(0);
    int files = PackedTree.MAX_ATTRIBUTES / ofEach + 1;
    lie.unsigned(files);
    for (int i = 0; i < files; i++) {
      lie.ascii(stream(0).text());
      lie.text(attributes.toByteArray());
    }
    refused(lie, "attributes");
  }

  private static void zeros(VarintWriter out, int count) {
    for (int i = 0; i < count; i++) {
      out.unsigned(0);
    }
  }

  private static void refused(VarintWriter lie, String what) {
    byte[] content = lie.toByteArray();
    DamagedSegmentException refused =
        assertThrows(
            DamagedSegmentException.class, () -> decode(stored(content, 0, content.length)));
    assertTrue(refused.toString().matches("(?s).*(over|more than) .*"), refused::toString);
    assertTrue(refused.toString().contains(what), refused::toString);
  }

  @Test
  void anOwnerThatTheTableDoesNotHaveIsRefused() {
    VarintWriter lie = withoutStreams();
    lie.unsigned(0);
    lie.unsigned(1);
    lie.text(new byte[] {'/'});
    lie.text(new byte[] {1, 0, 1, 0, 0, 0, 0});
    refused(lie);
  }

  @Test
  void theOwnersOfTenThousandFilesTakeNextToNothing() {
    List<PackedStream> streams = new ArrayList<>();
    List<PackedStream> owned = new ArrayList<>();
    for (int number = 0; number < 10_000; number++) {
      PosixPath path = PosixPath.of("/var/log/app/" + number + ".log");
      PackedStream stream = new PackedStream(number, stream(number), path, path, 0640);
      streams.add(stream);
      FileOwner owner = new FileOwner(33, number % 3, "www-data", "adm" + number % 3);
      owned.add(stream.withOwner(Optional.of(owner)));
    }
    int without = PackDirectoryFormat.encode(ofStreams(streams)).length;
    int with = PackDirectoryFormat.encode(ofStreams(owned)).length;
    assertTrue(with - without <= 1_000, (with - without) + " bytes for 10 000 owners");
  }

  @Test
  void theArrivalsOfTenThousandFilesTakeFewBytesEach() {
    List<PackedStream> streams = new ArrayList<>();
    List<PackedStream> arrived = new ArrayList<>();
    long arrivalNanos = 1_795_000_001_987_000_000L;
    for (int number = 0; number < 10_000; number++) {
      PosixPath path = PosixPath.of("/var/log/app/" + number + ".log");
      PackedStream stream = new PackedStream(number, stream(number), path, path, 0640);
      streams.add(stream);
      arrivalNanos += number % 20 == 0 ? 1_000_000 - 19 : 1; // Twenty in each millisecond.
      arrived.add(stream.withArrival(OptionalLong.of(arrivalNanos)));
    }
    int without = PackDirectoryFormat.encode(ofStreams(streams)).length;
    int with = PackDirectoryFormat.encode(ofStreams(arrived)).length;
    assertTrue(with - without <= 20_000, (with - without) + " bytes for 10 000 arrivals");
  }

  private static PackDirectory ofStreams(List<PackedStream> streams) {
    return new PackDirectory(ID, 7, List.of(), streams, List.of(), List.of());
  }

  private static List<StreamFact> facts(int number, Random random) {
    long size = random.nextLong() >>> 1;
    long time = random.nextLong();
    List<EndReason> reasons = List.of(EndReason.values());
    EndReason reason = reasons.get(random.nextInt(reasons.size()));
    List<StreamFact> all =
        List.of(
            new StreamFact.Renamed(number, path(random), time),
            new StreamFact.Attributes(number, random.nextInt(010000), size, time, time),
            new StreamFact.Ended(number, reason, size, time),
            new StreamFact.Continued(number),
            new StreamFact.Missing(
                number, new ByteRange(size / 2, size / 2 + 1), "why " + number, time),
            new StreamFact.ChangedInPlace(number, random.nextBoolean()));
    return all.stream().filter(fact -> random.nextInt(6) == 0).toList();
  }

  private static PackDirectory decode(byte[] bytes) throws ArchiveException {
    return PackDirectoryFormat.decode(bytes, ID, KEY, 0);
  }

  @Test
  void whatIsEncodedIsDecoded() {
    Property.holds(
        300,
        random -> {
          PackDirectory directory = directory(random);
          assertEquals(directory, decode(PackDirectoryFormat.encode(directory)));
        });
  }

  @Test
  void theAgentKnowsAgainWhatItDelivered() {
    Property.holds(
        100,
        random -> {
          PackDirectory directory = directory(random);
          PackDirectory known = decode(PackDirectoryFormat.encodeForAgent(directory));
          assertEquals(directory.streams(), known.streams());
          assertEquals(directory.facts(), known.facts());
          assertEquals(directory.tree(), known.tree());
          assertEquals(
              directory.ranges().stream().map(PackedRange::range).toList(),
              known.ranges().stream().map(PackedRange::range).toList());
          assertEquals(
              directory.ranges().stream().map(PackedRange::rawCrc32c).toList(),
              known.ranges().stream().map(PackedRange::rawCrc32c).toList());
          assertEquals(
              directory.ranges().stream().map(PackedRange::revision).toList(),
              known.ranges().stream().map(PackedRange::revision).toList());
        });
  }

  @Test
  void tenThousandShortRangesTakeTenBytesEach() {
    List<PackedRange> ranges = new ArrayList<>();
    Random random = new Random(1);
    for (int number = 0; number < 10_000; number++) {
      long start = 500L * random.nextInt(1000);
      long mtime = 1_795_000_002_000_000_000L - 4_000_000L * random.nextInt(1250);
      ranges.add(
          new PackedRange(number, new ByteRange(start, start + 500), random.nextInt(), mtime));
    }
    List<PackUnit> units = List.of(new PackUnit(5_000_000, 800_000));
    byte[] bytes =
        PackDirectoryFormat.encode(
            new PackDirectory(ID, 1_795_000_002_000L, units, List.of(), ranges, List.of()));
    assertTrue(bytes.length <= 105_000, bytes.length + " bytes for 10 000 ranges");
  }

  @Test
  void everyFlippedBitIsFound() throws Exception {
    byte[] bytes = PackDirectoryFormat.encode(directory(new Random(3)));
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThrows(ArchiveException.class, () -> decode(flipped));
    }
  }

  @Test
  void everyTruncationIsFound() {
    byte[] bytes = PackDirectoryFormat.encode(directory(new Random(4)));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(DamagedSegmentException.class, () -> decode(cut));
    }
  }

  /** A directory with this content, whose checksum is right. */
  private static byte[] stored(byte[] content, int method, int statedBytes) {
    ByteBuffer bytes = ByteBuffer.allocate(16 + content.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(new byte[] {'T', 'W', 'P', 'K'}).putShort((short) 2).putShort((short) method);
    bytes.putInt(statedBytes).put(content);
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, bytes.position());
    return bytes.putInt((int) crc.getValue()).array();
  }

  @Test
  void contentThatLiesIsRefusedWithItsKeyAndNothingElse() {
    byte[] content = DirectoryContent.encode(directory(new Random(5)));
    Property.holds(
        3000,
        random -> {
          byte[] lie = content.clone();
          for (int i = 1 + random.nextInt(4); i > 0; i--) {
            lie[random.nextInt(lie.length)] = (byte) random.nextInt(256);
          }
          try {
            decode(stored(lie, 0, lie.length));
          } catch (DamagedSegmentException refused) {
            assertEquals(KEY, refused.key());
          }
        });
  }

  @Test
  void countsThatCannotBeThereAreRefusedBeforeAnythingIsAllocated() {
    VarintWriter lie = new VarintWriter();
    lie.text(new byte[] {'w', 'e', 'b', '-', '1'});
    lie.text(ID.group().text().getBytes(US_ASCII));
    lie.unsigned(ID.first());
    lie.unsigned(0);
    lie.signed(0);
    lie.unsigned(Long.MAX_VALUE);
    byte[] content = lie.toByteArray();
    assertThrows(DamagedSegmentException.class, () -> decode(stored(content, 0, content.length)));
  }

  @Test
  void contentThatClaimsToBeHugeIsRefused() {
    byte[] content = {1, 2, 3};
    for (int claimed : new int[] {-1, Integer.MAX_VALUE, (64 << 20) + 1, 4}) {
      assertThrows(DamagedSegmentException.class, () -> decode(stored(content, 1, claimed)));
      assertThrows(DamagedSegmentException.class, () -> decode(stored(content, 0, claimed)));
    }
    assertThrows(DamagedSegmentException.class, () -> decode(stored(content, 7, 3)));
  }

  @Test
  void aNewerVersionIsSaidToBeOne() {
    byte[] bytes = PackDirectoryFormat.encode(directory(new Random(6)));
    bytes[4] = 3;
    assertThrows(UnsupportedFormatException.class, () -> decode(bytes));
  }

  @Test
  void theDirectoryOfAnotherPackIsRefused() {
    byte[] bytes = PackDirectoryFormat.encode(directory(new Random(7)));
    PackId other = new PackId(ID.agent(), ID.group(), ID.first() + 1);
    assertThrows(
        DamagedSegmentException.class, () -> PackDirectoryFormat.decode(bytes, other, KEY, 0));
  }

  @Test
  void rangesThatOverlapOrAreOutOfOrderAreNoDirectory() {
    PackedRange first = new PackedRange(4, new ByteRange(0, 10), 0, 0);
    PackedRange other = new PackedRange(3, new ByteRange(0, 10), 0, 0);
    PackedRange second = new PackedRange(4, new ByteRange(9, 20), 0, 0);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new PackDirectory(
                ID, 0, List.of(), List.of(), List.of(first, other, second), List.of()));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new PackDirectory(
                ID, 0, List.of(new PackUnit(9, 1)), List.of(), List.of(first), List.of()));
  }

  @Test
  void rangesOfDifferentRevisionsMayOverlap() throws Exception {
    PackedRange first = new PackedRange(4, new ByteRange(0, 10), 1, 0);
    PackedRange again = new PackedRange(4, new ByteRange(5, 8), 2, 0, 9, 3);
    List<PackUnit> units = List.of(new PackUnit(13, 1));
    PackDirectory both =
        new PackDirectory(ID, 7, units, List.of(), List.of(first, again), List.of());
    assertEquals(both, decode(PackDirectoryFormat.encode(both)));
    assertEquals(4, both.sealedAtMillis(again));
    assertThrows(
        IllegalArgumentException.class,
        () -> new PackDirectory(ID, 7, List.of(), List.of(), List.of(again, again), List.of()));
  }

  @Test
  void unknownFactsAreSkippedUnlessTheyMatter() throws Exception {
    for (int kind : new int[] {100, 101}) {
      VarintWriter facts = new VarintWriter();
      facts.unsigned(1);
      facts.unsigned(5);
      facts.unsigned(kind);
      facts.text(new byte[] {1, 2, 3});
      VarintReader in = new VarintReader(facts.toByteArray());
      if (kind % 2 == 0) {
        assertEquals(List.of(), FactFormat.read(in));
      } else {
        assertThrows(VarintReader.MalformedException.class, () -> FactFormat.read(in));
      }
    }
  }
}
