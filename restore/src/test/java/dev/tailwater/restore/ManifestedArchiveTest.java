package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.header.HeaderEnvelope;
import dev.tailwater.archive.manifest.ManifestFormat;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackDirectoryFormat;
import dev.tailwater.archive.pack.PackUnit;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.read.StreamPrinter;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives with manifests, right and wrong ones. */
class ManifestedArchiveTest extends RestoreFixture {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final ReadOptions READING =
      TestArchive.options().withIdentities(List.of(KEYS.identity())).withAllowPlain(true);
  private static final int UNIT_BYTES = 900_000;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final FaultyDestination counted =
      FaultyDestination.wrap(InMemoryDestination.create(), DestinationFaultPlan.none());
  private long countedBefore;
  private final TestArchive archive = new TestArchive(counted);
  private final List<String> keys = new ArrayList<>();

  /** Returns the requests since the last call. */
  private long requests() {
    long before = countedBefore;
    countedBefore = counted.callCount();
    return countedBefore - before;
  }

  private byte[] object(String key) throws IOException {
    try (InputStream in = archive.destination.read(key, 0, Long.MAX_VALUE)) {
      return in.readAllBytes();
    }
  }

  private PackFront front(String key) throws IOException {
    return PackFront.of(PackName.parse(key).orElseThrow(), ByteBuffer.wrap(object(key)));
  }

  private String put(ManifestName name, List<PackFront> fronts) throws IOException {
    archive.destination.putSegment(name.key(), ByteBuffer.wrap(ManifestFormat.encode(fronts)));
    return name.key();
  }

  private String manifest(long nanos, List<String> of) throws IOException {
    List<PackFront> fronts = new ArrayList<>();
    for (String key : of) {
      fronts.add(front(key));
    }
    return put(ManifestName.of("web-1", nanos, RANDOM), fronts);
  }

  /** Delivers packs, each with the next bytes of three files. */
  private TestPacks deliver(int count, List<Recipient> recipients) throws IOException {
    TestPacks packs = new TestPacks(archive, "web-1", 1000, recipients);
    for (int i = 0; i < count; i++) {
      for (int file = 1; file <= 3; file++) {
        packs.add(
            archive.stream("/p/file" + file, file), 4L * i, bytes("%d%03d".formatted(file, i)));
      }
      keys.add(packs.deliver());
    }
    return packs;
  }

  private static byte[] contents(int file, int packs) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < packs; i++) {
      text.append("%d%03d".formatted(file, i));
    }
    return bytes(text.toString());
  }

  private ArchiveIndex index() throws IOException {
    return archive.index(READING);
  }

  private void assertRestored(int packs) throws IOException {
    RestoreReport report = restore(archive, RestoreOptions.of(READING));
    assertEquals(Outcome.DONE, report.outcome(), () -> report.streams().toString());
    for (int file = 1; file <= 3; file++) {
      assertFile("p/file" + file, contents(file, packs));
    }
  }

  private VerifyReport verified() throws IOException {
    return new Verifier(archive.destination, READING, RestoreProgress.none()).verify(index());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatManifestsRepeatNeedNotBeOpened(boolean encrypted) throws IOException {
    deliver(40, encrypted ? List.of(KEYS.recipient()) : List.of());
    requests();
    assertEquals(3, index().streams().size());
    assertEquals(1 + 40, requests());
    manifest(1, keys.subList(0, 20));
    manifest(2, keys.subList(20, 38));
    requests();
    ArchiveIndex index = index();
    assertEquals(1 + 2 + 2, requests(), "one list, two manifests, two packs");
    assertEquals(List.of(), index.damages());
    requests();
    print(index, 1, 40);
    assertTrue(requests() <= 40, "the units are read, and no directories");
    assertRestored(40);
    assertEquals(Outcome.DONE, verified().outcome());
  }

  private void print(ArchiveIndex index, int file, int packs) throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ArchivedStream stream = index.find("/p/file" + file).orElseThrow();
    new StreamPrinter(archive.destination, READING, RestoreProgress.none()).print(stream, printed);
    assertArrayEquals(contents(file, packs), printed.toByteArray());
  }

  @Test
  void manifestsOfPacksThatWereMergedOrRemovedAreOfNoHarm() throws IOException {
    TestPacks packs = deliver(12, List.of());
    manifest(1, keys);
    packs.merge(2, 9, List.of(), true);
    requests();
    assertEquals(List.of(), index().damages());
    assertEquals(1 + 1 + 1, requests());
    assertRestored(12);
    assertEquals(Outcome.DONE, verified().outcome());
  }

  @Test
  void aJoinedManifestStandsForItsPartsUnlessItIsDamaged() throws IOException {
    deliver(12, List.of());
    List<ManifestName> parts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String key = manifest(i, keys.subList(4 * i, 4 * i + 4));
      parts.add(ManifestName.parse(key).orElseThrow());
    }
    List<PackFront> fronts = new ArrayList<>();
    for (String key : keys) {
      fronts.add(front(key));
    }
    String joined = put(ManifestName.join(parts, RANDOM), fronts);
    requests();
    assertEquals(List.of(), index().damages());
    assertEquals(1 + 1, requests());
    archive.damage(joined, 5);
    requests();
    ArchiveIndex index = index();
    assertEquals(1 + 1 + 3, requests());
    assertEquals(List.of(joined), index.damages().stream().map(Damage::key).toList());
    assertTrue(!index.isMoreInPacks() && index.hasDamagedManifests());
    assertRestored(12);
    VerifyReport report = verified();
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertTrue(report.streams().stream().allMatch(stream -> stream.damages().isEmpty()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20, 40, 200})
  void aFrontThatIsDamagedInsideAValidManifestIsReadInThePackItself(int at) throws IOException {
    deliver(3, List.of());
    List<PackFront> fronts = new ArrayList<>();
    for (String key : keys) {
      PackFront front = front(key);
      front.bytes()[Math.min(at, front.bytes().length - 2)] ^= 0x11;
      fronts.add(front);
    }
    String key = put(ManifestName.of("web-1", 1, RANDOM), fronts);
    ArchiveIndex index = index();
    assertEquals(List.of(key), index.damages().stream().map(Damage::key).toList());
    assertRestored(3);
  }

  /** Repeats a pack as it would be if two of its files had each other's bytes. */
  private PackFront forged(String key) throws IOException {
    PackName name = PackName.parse(key).orElseThrow();
    for (int attempt = 0; attempt < 100; attempt++) {
      TestArchive other = TestArchive.inMemory();
      TestPacks packs = new TestPacks(other, "web-1", name.id().group(), List.of());
      for (int file = 1; file <= 3; file++) {
        TestArchive.TestStream stream = other.stream("/p/file" + file, file);
        packs.add(stream, 0, bytes(attempt + (file == 1 ? "9" : "8") + "xy"));
      }
      String forged = packs.deliver();
      try (InputStream in = other.destination.read(forged, 0, Long.MAX_VALUE)) {
        byte[] object = in.readAllBytes();
        if (forged.equals(key) && object.length == object(key).length) {
          return PackFront.of(name, ByteBuffer.wrap(object));
        }
      }
    }
    throw new AssertionError("no forgery of the same length was found");
  }

  @Test
  void aManifestThatLiesAboutAPackIsFoundOutAndThePackCounts() throws IOException {
    deliver(1, List.of());
    put(ManifestName.of("web-1", 1, RANDOM), List.of(forged(keys.getFirst())));
    assertEquals(List.of(), index().damages(), "nobody can tell before the bytes are read");
    RestoreReport report = restore(archive, RestoreOptions.of(READING));
    for (int file = 1; file <= 3; file++) {
      assertFile("p/file" + file, contents(file, 1));
      print(index(), file, 1);
    }
    assertEquals(Outcome.PARTIAL, report.outcome(), "it is said that something is wrong");
    assertEquals(keys.getFirst(), report.streams().getFirst().damages().getFirst().key());
    VerifyReport verified = verified();
    assertTrue(verified.outcome() != Outcome.DONE);
    assertEquals(keys, verified.manifests().stream().map(Damage::key).toList(), verified::toString);
  }

  @Test
  void aManifestThatLiesAboutUnitsSpoilsNoneOfThem() throws IOException {
    TestPacks packs = new TestPacks(archive, "web-1", 1000, List.of());
    List<byte[]> files = new ArrayList<>();
    for (int file = 1; file <= 3; file++) {
      files.add(Bytes.random(UNIT_BYTES, file));
      packs.add(archive.stream("/p/file" + file, file), 0, files.getLast());
    }
    String key = packs.deliver();
    put(ManifestName.of("web-1", 1, RANDOM), List.of(withOtherUnits(key)));

    RestoreReport report = restore(archive, RestoreOptions.of(READING));

    assertFile("p/file1", files.get(0));
    assertFile("p/file2", files.get(1));
    assertEquals(Outcome.PARTIAL, report.outcome(), "it is said that something is wrong");
  }

  /** Repeats a pack of three units as if the third one were the second. */
  private PackFront withOtherUnits(String key) throws IOException {
    PackName name = PackName.parse(key).orElseThrow();
    PackDirectory own = new PackOpener().open(name, front(key).read(), List.of()).directory();
    List<PackUnit> units = own.units();
    assertEquals(3, units.size());
    List<PackUnit> others =
        List.of(
            new PackUnit(UNIT_BYTES, units.get(0).encodedBytes() + units.get(1).encodedBytes()),
            units.get(2));
    byte[] object = object(key);
    for (int attempt = 0; attempt < 10_000; attempt++) {
      String padding = new BigInteger(5 * (attempt % 100), RANDOM).toString(32);
      StreamFact fact = new StreamFact.Missing(1, new ByteRange(0, 1), padding, 1);
      byte[] directory =
          HeaderEnvelope.wrap(
              PackDirectoryFormat.encode(
                  new PackDirectory(
                      own.id(),
                      own.sealedAtMillis(),
                      others,
                      own.streams().subList(0, 2),
                      own.ranges().subList(0, 2),
                      List.of(fact),
                      own.tree())),
              false);
      if (directory.length == name.frontBytes()) {
        System.arraycopy(directory, 0, object, 0, directory.length);
        return PackFront.of(name, ByteBuffer.wrap(object));
      }
    }
    throw new AssertionError("no forgery of the same length was found");
  }

  @Test
  void manifestsWithoutEndAreNotRead() throws IOException {
    deliver(3, List.of());
    for (int i = 0; i < 200; i++) {
      put(ManifestName.of("web-1", i, RANDOM), List.of());
    }
    archive.destination.putSegment(
        ManifestName.of("web-1", 1000, RANDOM).key(), ByteBuffer.wrap(new byte[8 << 20]));
    requests();
    assertEquals(3, index().streams().size());
    assertTrue(requests() <= 1 + 3 + 3, "no more manifests than packs");
    assertRestored(3);
  }
}
