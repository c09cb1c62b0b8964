package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.restore.compact.CompactOptions;
import dev.tailwater.restore.compact.CompactReport;
import dev.tailwater.restore.compact.Compactor;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.read.StreamPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** An archive with packs, and a host that compacts it. */
abstract class CompactFixture extends RestoreFixture {
  static final int PACKS = 12;
  static final KeyPair KEYS = KeyPair.generate(new SecureRandom());

  final TestArchive archive = TestArchive.inMemory();
  final Map<TestArchive.TestStream, ByteArrayOutputStream> files = new LinkedHashMap<>();
  final List<String> delivered = new ArrayList<>();
  Trust trust = Trust.none();
  Optional<ObjectSigner> signer = Optional.empty();

  /** Bytes that were replaced up to then are left out. */
  long replacedByMillis = CompactOptions.KEEP_ALL;

  /** Delivers a group of packs, in which each file has some bytes. */
  final void deliver(boolean encrypted) throws IOException {
    List<Recipient> recipients = encrypted ? List.of(KEYS.recipient()) : List.of();
    Random random = new Random(1);
    for (int i = 0; i < 5; i++) {
      files.put(archive.stream("/p/file" + i, i + 1), new ByteArrayOutputStream());
    }
    TestPacks packs = new TestPacks(archive, "web-1", 1000, recipients);
    for (int i = 0; i < PACKS; i++) {
      for (Map.Entry<TestArchive.TestStream, ByteArrayOutputStream> file : files.entrySet()) {
        byte[] some = new byte[1 + random.nextInt(3000)];
        random.nextBytes(some);
        packs.add(file.getKey(), file.getValue().size(), some);
        file.getValue().writeBytes(some);
      }
      delivered.add(packs.deliver());
    }
  }

  final ReadOptions reading() {
    return TestArchive.options()
        .withIdentities(List.of(KEYS.identity()))
        .withAllowPlain(true)
        .withAuthenticity(new Authenticity(trust))
        .withJobs(1);
  }

  private CompactOptions options(long beforeMillis, boolean dryRun) {
    return new CompactOptions(
        Optional.empty(),
        beforeMillis,
        new Codec.Zstd(9),
        List.of(KEYS.recipient()),
        signer,
        replacedByMillis,
        dryRun,
        reading());
  }

  private static CompactReport compact(Destination destination, CompactOptions options)
      throws IOException {
    return new Compactor(destination, options, RestoreProgress.none(), InstantSource.system())
        .compact();
  }

  final CompactReport compact(Destination destination) throws IOException {
    return compact(destination, options(Long.MAX_VALUE, false));
  }

  /** Compacts groups of which no pack is younger. */
  final CompactReport compactGroupsBefore(long beforeMillis) throws IOException {
    return compact(archive.destination, options(beforeMillis, false));
  }

  /** Says what compacting would do. */
  final CompactReport plan() throws IOException {
    return compact(archive.destination, options(Long.MAX_VALUE, true));
  }

  /** Compacts, and dies before or after a call of the destination, if there are so many. */
  final CompactReport compactAndDie(int call, DestinationFault crash) throws IOException {
    FaultyDestination dying =
        FaultyDestination.wrap(archive.destination, DestinationFaultPlan.at(call, crash));
    try {
      CompactReport report = compact(dying);
      assertEquals(List.of(), report.damages());
      return report;
    } catch (CrashError died) {
      assertTrue(dying.crashed());
      return plan();
    }
  }

  final List<PackName> packs() throws IOException {
    return archive.destination.list("", Optional.empty(), 1000).entries().stream()
        .flatMap(entry -> PackName.parse(entry.key()).stream())
        .toList();
  }

  /** The archive has what was delivered. */
  final void assertWhole() throws IOException {
    assertEquals(List.of(), archive.index(reading()).damages());
    assertFilesAreWhole();
  }

  /** The files have what was delivered. */
  final void assertFilesAreWhole() throws IOException {
    ArchiveIndex index = archive.index(reading());
    for (Map.Entry<TestArchive.TestStream, ByteArrayOutputStream> file : files.entrySet()) {
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      new StreamPrinter(archive.destination, reading(), RestoreProgress.none())
          .print(index.find(file.getKey().id.text()).orElseThrow(), printed);
      assertArrayEquals(file.getValue().toByteArray(), printed.toByteArray());
    }
  }

  /** Delivers groups with one pack each. */
  final void deliverGroups(int groups) throws IOException {
    for (int group = 0; group < groups; group++) {
      TestPacks packs = new TestPacks(archive, "web-1", 2000 + group, List.of());
      TestArchive.TestStream stream = archive.stream("/g/file" + group, 100 + group);
      byte[] bytes = new byte[9000];
      new Random(group).nextBytes(bytes);
      packs.add(stream, 0, bytes);
      ByteArrayOutputStream contents = new ByteArrayOutputStream();
      contents.writeBytes(bytes);
      files.put(stream, contents);
      delivered.add(packs.deliver());
    }
  }
}
