package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.restore.compact.CompactOptions;
import dev.tailwater.restore.compact.CompactReport;
import dev.tailwater.restore.compact.Compactor;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.read.StreamPrinter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives that are compacted by a host which may read and delete. */
class CompactorTest extends RestoreFixture {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final int PACKS = 12;

  private final TestArchive archive = TestArchive.inMemory();
  private Trust trust = Trust.none();
  private Optional<ObjectSigner> signer = Optional.empty();
  private final Map<TestArchive.TestStream, ByteArrayOutputStream> files = new LinkedHashMap<>();
  private final List<String> delivered = new ArrayList<>();

  private void deliver(boolean encrypted) throws IOException {
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

  private ReadOptions reading() {
    return TestArchive.options()
        .withIdentities(List.of(KEYS.identity()))
        .withAllowPlain(true)
        .withAuthenticity(new Authenticity(trust))
        .withJobs(1);
  }

  private CompactOptions options(boolean dryRun) {
    return new CompactOptions(
        Optional.empty(),
        Long.MAX_VALUE,
        new Codec.Zstd(9),
        List.of(KEYS.recipient()),
        signer,
        Long.MIN_VALUE,
        dryRun,
        reading());
  }

  private CompactReport compact(Destination destination) throws IOException {
    return new Compactor(
            destination, options(false), RestoreProgress.none(), InstantSource.system())
        .compact();
  }

  private List<PackName> packs() throws IOException {
    return archive.destination.list("", Optional.empty(), 1000).entries().stream()
        .flatMap(entry -> PackName.parse(entry.key()).stream())
        .toList();
  }

  private void assertWhole() throws IOException {
    ArchiveIndex index = archive.index(reading());
    assertEquals(List.of(), index.damages());
    for (Map.Entry<TestArchive.TestStream, ByteArrayOutputStream> file : files.entrySet()) {
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      new StreamPrinter(archive.destination, reading(), RestoreProgress.none())
          .print(index.find(file.getKey().id.text()).orElseThrow(), printed);
      assertArrayEquals(file.getValue().toByteArray(), printed.toByteArray());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void packsOfAGroupBecomeOneAndTheFilesAreTheSame(boolean encrypted) throws IOException {
    deliver(encrypted);
    CompactReport planned =
        new Compactor(
                archive.destination, options(true), RestoreProgress.none(), InstantSource.system())
            .compact();
    assertEquals(PACKS, planned.mergedPacks());
    assertEquals(PACKS, packs().size(), "a dry run changes nothing");
    CompactReport report = compact(archive.destination);
    assertEquals(List.of(), report.damages());
    assertEquals(PACKS, report.removedPacks());
    assertEquals(1, packs().size());
    assertWhole();
    assertEquals(0, compact(archive.destination).mergedPacks(), "nothing is left to do");
  }

  @Test
  void theAgentCanStillReadWhatItDelivered() throws IOException {
    deliver(true);
    assertEquals(List.of(), compact(archive.destination).damages());
    PackName merged = packs().getFirst();
    List<PackDirectory> known;
    try (InputStream object = archive.destination.read(merged.key(), 0, Long.MAX_VALUE)) {
      known =
          new PackOpener()
              .openForAgent(
                  merged,
                  new ByteArrayInputStream(object.readAllBytes()),
                  Optional.of(TestArchive.CONTENT_KEY));
    }
    assertEquals(PACKS, known.size());
    assertEquals(5 * PACKS, known.stream().mapToInt(one -> one.ranges().size()).sum());
  }

  @Test
  void afterACrashAtAnyCallTheArchiveIsWholeAndTheNextRunFinishes() throws IOException {
    deliver(true);
    for (int call = 1; packs().size() > 1; call++) {
      for (DestinationFault crash :
          List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
        FaultyDestination dying =
            FaultyDestination.wrap(archive.destination, DestinationFaultPlan.at(call, crash));
        try {
          compact(dying);
        } catch (CrashError died) {
          assertTrue(dying.crashed());
        }
        assertWhole();
      }
      assertTrue(call < 100, "it never finishes");
    }
    assertEquals(1, packs().size());
    assertWhole();
  }

  /** What the archive says of each stream. */
  private Map<String, String> told() throws IOException {
    ArchiveIndex index = archive.index(reading());
    assertEquals(List.of(), index.damages());
    Map<String, String> told = new TreeMap<>();
    for (ArchivedStream stream : index.streams()) {
      told.put(
          stream.prefix(),
          stream.path()
              + " "
              + stream.covered().ranges()
              + " "
              + stream.openGaps()
              + " "
              + stream.record()
              + " "
              + stream.knownEndBytes());
    }
    return told;
  }

  /** Groups of some packs, in which files come, grow, are rewritten, renamed, torn and ended. */
  private void deliverHistory(Random random, boolean encrypted) throws IOException {
    List<Recipient> recipients = encrypted ? List.of(KEYS.recipient()) : List.of();
    List<TestArchive.TestStream> streams = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      streams.add(archive.stream("/p/file" + random.nextInt(1000) + "-" + i, i + 1));
      files.put(streams.getLast(), new ByteArrayOutputStream());
    }
    for (int group = 0; group < 4; group++) {
      TestPacks packs = new TestPacks(archive, "web-1", 1000 + group, recipients);
      for (int pack = random.nextInt(4); pack >= 0; pack--) {
        for (TestArchive.TestStream stream : streams) {
          ByteArrayOutputStream contents = Objects.requireNonNull(files.get(stream));
          switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
              byte[] some = new byte[1 + random.nextInt(2000)];
              random.nextBytes(some);
              packs.add(stream, contents.size(), some);
              contents.writeBytes(some);
            }
            case 3 -> {
              stream.path = PosixPath.of("/p/moved" + random.nextInt(1000));
              packs.say(
                  new StreamFact.Renamed(packs.number(stream), stream.path, random.nextInt(1000)));
            }
            case 4 ->
                packs.say(
                    new StreamFact.Attributes(
                        packs.number(stream),
                        random.nextInt(01000),
                        contents.size(),
                        random.nextInt(1_000_000),
                        packs.latestMillis() + 1));
            case 5 ->
                packs.say(
                    new StreamFact.Ended(
                        packs.number(stream),
                        StreamRecord.EndReason.DELETED,
                        contents.size(),
                        random.nextInt(1000)));
            case 6 -> packs.say(new StreamFact.Continued(packs.number(stream)));
            default -> {}
          }
        }
        packs.deliver();
      }
    }
    files.values().removeIf(one -> one.size() == 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void groupsBecomeOneAndTheArchiveSaysTheSame(boolean encrypted) {
    rounds(
        15,
        (random, _) -> {
          CompactorTest round = new CompactorTest();
          round.deliverHistory(random, encrypted);
          Map<String, String> before = round.told();
          CompactReport report = round.compact(round.archive.destination);
          assertEquals(List.of(), report.damages());
          assertEquals(2, round.packs().size(), () -> report.toString());
          assertEquals(before, round.told());
          round.assertWhole();
          assertEquals(0, round.compact(round.archive.destination).mergedPacks());
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCrashAtAnyCallOfJoiningGroupsLosesAndDoublesNothing(boolean encrypted) throws IOException {
    deliverHistory(new Random(5), encrypted);
    Map<String, String> before = told();
    for (int call = 1; packs().size() > 2; call++) {
      for (DestinationFault crash :
          List.of(DestinationFault.CRASH_BEFORE, DestinationFault.CRASH_AFTER)) {
        FaultyDestination dying =
            FaultyDestination.wrap(archive.destination, DestinationFaultPlan.at(call, crash));
        try {
          assertEquals(List.of(), compact(dying).damages());
        } catch (CrashError died) {
          assertTrue(dying.crashed());
        }
        assertEquals(before, told());
        assertWhole();
      }
      assertTrue(call < 200, "it never finishes");
    }
    assertEquals(before, told());
  }

  @Test
  void anAgentKnowsWhatJoinedPacksHold() throws IOException {
    deliverHistory(new Random(6), true);
    assertEquals(List.of(), compact(archive.destination).damages());
    PackName joined = packs().getFirst();
    assertTrue(joined.id().isMerged());
    List<PackDirectory> known;
    try (InputStream object = archive.destination.read(joined.key(), 0, Long.MAX_VALUE)) {
      known =
          new PackOpener()
              .openForAgent(
                  joined,
                  new ByteArrayInputStream(object.readAllBytes()),
                  Optional.of(TestArchive.CONTENT_KEY));
    }
    assertEquals(3, known.stream().map(one -> one.id().group()).distinct().count());
  }

  @Test
  void whatWasJustMergedIsListedThoughItIsYoung() throws IOException {
    deliver(false);
    deliverGroups(1);
    CompactOptions now =
        new CompactOptions(
            Optional.empty(),
            System.currentTimeMillis(),
            new Codec.Zstd(9),
            List.of(),
            Optional.empty(),
            Long.MIN_VALUE,
            false,
            reading());
    new Compactor(archive.destination, now, RestoreProgress.none(), InstantSource.system())
        .compact();
    assertTrue(packs().stream().anyMatch(pack -> pack.id().isMerged()));
    assertEquals(1, manifests().size());
    assertWhole();
  }

  @Test
  void theLastGroupOfAnAgentIsLeftToIt() throws IOException {
    deliverGroups(3);
    compact(archive.destination);
    assertEquals(2, packs().size());
    assertEquals(delivered.getLast(), packs().getLast().key());
  }

  private List<ManifestName> manifests() throws IOException {
    return archive.destination.list("", Optional.empty(), 1000).entries().stream()
        .flatMap(entry -> ManifestName.parse(entry.key()).stream())
        .toList();
  }

  /** Delivers groups with one pack each. */
  private void deliverGroups(int groups) throws IOException {
    for (int group = 0; group < groups; group++) {
      TestPacks packs = new TestPacks(archive, "web-1", 1000 + group, List.of());
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

  private long requestsOfAnIndex() throws IOException {
    FaultyDestination counting =
        FaultyDestination.wrap(archive.destination, DestinationFaultPlan.none());
    ArchiveIndex index = new TestArchive(counting).index(reading());
    assertEquals(List.of(), index.damages());
    return counting.callCount();
  }

  @Test
  void manifestsAreWrittenAndRepaired() throws IOException {
    deliverGroups(20);
    assertEquals(1 + 20, requestsOfAnIndex());
    assertEquals(1, compact(archive.destination).manifests());
    assertEquals(1 + 1, requestsOfAnIndex());
    CompactReport again = compact(archive.destination);
    assertEquals(0, again.manifests() + again.removedManifests(), "nothing is left to do");
    archive.damage(manifests().getFirst().key(), 40);
    CompactReport repaired = compact(archive.destination);
    assertEquals(1, repaired.manifests());
    assertEquals(1, repaired.removedManifests());
    assertEquals(1, repaired.damages().size(), "it is said once");
    assertEquals(1 + 1, requestsOfAnIndex());
    assertWhole();
  }

  @Test
  void manifestsOfPacksThatAreGoneAreRemovedAndOthersStay() throws IOException {
    deliverGroups(4);
    compact(archive.destination);
    List<ManifestName> before = manifests();
    for (PackName pack : packs()) {
      archive.destination.delete(pack.key());
    }
    files.clear();
    deliverGroups(2);
    // Too young to be listed, and no reason to remove a manifest.
    CompactOptions young =
        new CompactOptions(
            Optional.empty(),
            0,
            new Codec.Zstd(9),
            List.of(),
            Optional.empty(),
            Long.MIN_VALUE,
            false,
            reading());
    new Compactor(archive.destination, young, RestoreProgress.none(), InstantSource.system())
        .compact();
    assertEquals(List.of(), manifests());
    assertEquals(1, compact(archive.destination).manifests());
    assertFalse(before.contains(manifests().getFirst()));
    assertWhole();
  }

  @Test
  void aCrashAtAnyCallLeavesManifestsThatDoNoHarm() throws IOException {
    deliverGroups(5);
    compact(archive.destination);
    deliverGroups(8);
    for (int call = 1; call < 60; call++) {
      FaultyDestination dying =
          FaultyDestination.wrap(
              archive.destination, DestinationFaultPlan.at(call, DestinationFault.CRASH_AFTER));
      try {
        compact(dying);
      } catch (CrashError died) {
        assertTrue(dying.crashed());
      }
      assertTrue(requestsOfAnIndex() <= 1 + 13);
      assertWhole();
    }
    compact(archive.destination);
    assertEquals(1, manifests().size());
    assertEquals(1 + 1, requestsOfAnIndex());
  }

  @Test
  void aDamagedPackStaysWithItsNeighboursAndIsNamed() throws IOException {
    deliver(false);
    String damaged = delivered.get(3);
    byte[] object;
    try (InputStream in = archive.destination.read(damaged, 0, Long.MAX_VALUE)) {
      object = in.readAllBytes();
    }
    object[object.length - 20] ^= 1;
    archive.destination.delete(damaged);
    archive.destination.putSegment(damaged, ByteBuffer.wrap(object));
    CompactReport report = compact(archive.destination);
    assertEquals(List.of(damaged), report.damages().stream().map(Damage::key).toList());
    assertEquals(PACKS, packs().size());
    assertEquals(0, report.removedPacks());
  }

  @Test
  void aMergedPackThatReadsBackWithOtherBytesRemovesNothing() throws IOException {
    deliver(false);
    Destination lying = new LyingDestination(archive.destination);
    assertThrows(IOException.class, () -> compact(lying));
    assertTrue(packs().size() >= PACKS);
    assertFalse(packs().isEmpty());
  }

  /** Keeps other bytes than it was given. */
  private static final class LyingDestination extends ForwardingDestination {
    LyingDestination(Destination real) {
      super(real);
    }

    @Override
    public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
      byte[] other = new byte[content.remaining()];
      content.get(other);
      other[other.length / 2] ^= 1;
      return super.putSegment(key, ByteBuffer.wrap(other));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void signedPacksAreMergedByWhoSignsAndIsTrusted(boolean encrypted) throws IOException {
    SigningKey agent = SigningKey.generate(new SecureRandom());
    SigningKey compactor = SigningKey.generate(new SecureRandom());
    archive.signedBy(new ObjectSigner(agent, () -> 1));
    deliver(encrypted);
    assertEquals(PACKS, compact(archive.destination).withoutSigner());
    assertEquals(PACKS, packs().size());
    trust =
        Trust.parse(
            "keys",
            "web-1 " + agent.publicKey() + "\ncompactor night " + compactor.publicKey() + "\n");
    signer = Optional.of(new ObjectSigner(compactor, () -> 2));
    CompactReport report = compact(archive.destination);
    assertEquals(List.of(), report.damages());
    assertEquals(1, packs().size());
    ReadOptions options = reading();
    archive.index(options);
    assertTrue(options.authenticity().findings().isClean());
  }

  @Test
  void whatIsNotAuthenticIsNotMergedWithASignature() throws IOException {
    deliver(false);
    signer = Optional.of(new ObjectSigner(SigningKey.generate(new SecureRandom()), () -> 3));
    trust = Trust.of(SigningKey.generate(new SecureRandom()).publicKey());
    CompactReport report = compact(archive.destination);
    assertEquals(PACKS, report.damages().size());
    assertEquals(PACKS, packs().size());
  }

  @Test
  void youngGroupsAreLeftAlone() throws IOException {
    deliver(false);
    CompactOptions young =
        new CompactOptions(
            Optional.empty(),
            0,
            new Codec.Zstd(9),
            List.of(),
            Optional.empty(),
            Long.MIN_VALUE,
            false,
            reading());
    CompactReport report =
        new Compactor(archive.destination, young, RestoreProgress.none(), InstantSource.system())
            .compact();
    assertEquals(PACKS, report.youngPacks());
    assertEquals(PACKS, packs().size());
  }
}
