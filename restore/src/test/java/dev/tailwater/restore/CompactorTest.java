package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.compact.CompactReport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packs of a group that are merged by a host which may read and delete. */
class CompactorTest extends CompactFixture {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void packsOfAGroupBecomeOneAndTheFilesAreTheSame(boolean encrypted) throws IOException {
    deliver(encrypted);
    CompactReport planned = plan();
    assertEquals(PACKS, planned.mergedPacks());
    assertEquals(PACKS, packs().size(), "a dry run changes nothing");
    CompactReport report = compact(archive.destination);
    assertEquals(List.of(), report.damages());
    assertEquals(PACKS, report.removedPacks());
    assertEquals(1, packs().size());
    assertWhole();
    assertEquals(0, compact(archive.destination).mergedPacks(), "nothing is left to do");
  }

  /** Anybody who can write can write a plain pack, and needs no key. */
  @Test
  void aPlainPackThatClaimsTheNumbersOfEncryptedOnesHasNoneOfThemRemoved() throws IOException {
    deliver(true);
    claimNumbers(PackId.MAX_SEQUENCE, List.of());
    compact(archive.destination);
    assertFilesAreWhole();
  }

  /** Whoever knows the public key can write an encrypted one, too. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPackThatClaimsTheNumbersOfOthersAndHasNotTheirBytesHasNoneOfThemRemoved(boolean encrypted)
      throws IOException {
    deliver(encrypted);
    List<Recipient> recipients = encrypted ? List.of(KEYS.recipient()) : List.of();
    String forged = claimNumbers(PackId.MAX_SEQUENCE, recipients);

    CompactReport report = compact(archive.destination);

    assertEquals(PACKS + 1, packs().size());
    assertEquals(0, report.removedPacks());
    assertEquals(List.of(forged), report.damages().stream().map(Damage::key).toList());
    archive.destination.delete(forged);
    assertFilesAreWhole();
  }

  /** It is not read into memory to find out what it has. */
  @Test
  void aPackOfAnyLengthThatClaimsTheNumbersOfOthersHasNoneOfThemRemoved() throws IOException {
    deliver(false);
    String forged = claimNumbers(PackId.MAX_SEQUENCE, List.of(), 65 << 20);

    CompactReport report = compact(archive.destination);

    assertEquals(0, report.removedPacks());
    assertEquals(List.of(forged), report.damages().stream().map(Damage::key).toList());
    assertTrue(report.damages().getFirst().why().contains("made from others"));
    archive.destination.delete(forged);
    assertWhole();
  }

  @Test
  void aMergedPackWithOtherBytesHasNoneOfThoseRemovedThatItCovers() throws IOException {
    deliver(false);
    TestArchive other = TestArchive.inMemory();
    PackGroup group = packs().getFirst().id().group();
    TestPacks others = new TestPacks(other, "web-1", group, List.of());
    for (TestArchive.TestStream stream : files.keySet()) {
      others.add(stream, 0, Bytes.random(PACKS * 3000, 2));
    }
    others.deliver();
    for (int i = 1; i < PACKS; i++) {
      others.deliver();
    }
    String forged = others.merge(0, PACKS, List.of(), false);
    copy(other, forged);

    CompactReport report = compact(archive.destination);

    assertEquals(List.of(forged), report.damages().stream().map(Damage::key).toList());
    archive.destination.delete(forged);
    assertWhole();
  }

  @ParameterizedTest
  @EnumSource(Omitted.class)
  void aMergedPackThatOmitsWhatOthersSayHasNoneOfThoseRemovedThatItCovers(Omitted omitted)
      throws IOException {
    TestArchive other = TestArchive.inMemory();
    PackGroup group = PackGroup.begin(1000, new SecureRandom());
    String forged = deliverTwo(other, group, Optional.of(omitted)).merge(0, 2, List.of(), false);
    deliverTwo(archive, group, Optional.empty());
    copy(other, forged);

    CompactReport report = compact(archive.destination);

    assertEquals(0, report.removedPacks());
    assertEquals(List.of(forged), report.damages().stream().map(Damage::key).toList());
  }

  /** A run that was killed before it removed anything; and then, the first one of them. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void packsAreOfNoUseBesideAMergedOneThatSaysWhatTheySay(boolean firstIsGone) throws IOException {
    TestPacks packs =
        deliverTwo(archive, PackGroup.begin(1000, new SecureRandom()), Optional.empty());
    PackName first = packs().getFirst();
    packs.merge(0, 2, List.of(), false);
    if (firstIsGone) {
      archive.destination.delete(first.key());
    }

    CompactReport report = compact(archive.destination);

    assertEquals(List.of(), report.damages());
    assertEquals(1, packs().size());
  }

  /** Whoever writes packs says how ranges are cut. */
  @Test
  void aPackIsReadOnceHoweverItsRangesAreCutInTheMergedOne() throws IOException {
    TestPacks packs = new TestPacks(archive, "web-1", 1000, List.of());
    TestArchive.TestStream file = archive.stream("/p/file", 1);
    for (int i = 0; i < 20; i++) {
      packs.add(file, 10L * i, Bytes.text("0123456789"));
    }
    String covered = packs.deliver();
    PackId id = packs().getFirst().id();
    try (PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1), List.of(), Optional.empty(), new SecureRandom(), Optional.empty())) {
      PackId wide = new PackId("web-1", id.group(), 0, 1);
      sealer.begin(new byte[1 << 20], wide, 1 << 16);
      sealer.describe(new PackedStream(0, file.id, file.birthPath, file.path, file.permissions));
      for (int i = 0; i < 40; i++) {
        byte[] half = Bytes.text(i % 2 == 0 ? "01234" : "56789");
        sealer.beginRange(0, 5L * i, half.length);
        sealer.append(half, 0, half.length);
        sealer.endRange(file.modifiedNanos);
      }
      SealedPack pack = sealer.finish(1);
      archive.destination.putSegment(pack.name().key(), pack.content());
    }
    AtomicInteger reads = new AtomicInteger();
    Destination counting =
        new ForwardingDestination(archive.destination) {
          @Override
          public InputStream read(String key, long startBytes, long mostBytes)
              throws DestinationException {
            if (key.equals(covered)) {
              reads.incrementAndGet();
            }
            return real().read(key, startBytes, mostBytes);
          }
        };

    CompactReport report = compact(counting);

    assertEquals(1, report.removedPacks());
    assertEquals(2, reads.get(), "its directory, and all of it");
  }

  /** What packs say of streams beside their bytes. */
  enum Omitted {
    EMPTY_FILE,
    NAME,
    GAP,
    END,
    CHANGE
  }

  /** Delivers two packs that say much beside their bytes, all but one thing. */
  private TestPacks deliverTwo(TestArchive to, PackGroup group, Optional<Omitted> omitted)
      throws IOException {
    TestPacks packs = new TestPacks(to, "web-1", group, List.of());
    TestArchive.TestStream file = archive.stream("/p/file", 1);
    int number = packs.number(file);
    packs.add(file, 0, Bytes.text("0123456789")).deliver();
    packs.add(file, 20, Bytes.text("0123456789"));
    if (!omitted.equals(Optional.of(Omitted.EMPTY_FILE))) {
      int empty = packs.number(archive.stream("/p/empty", 2));
      packs.say(new StreamFact.Attributes(empty, 0600, 0, 1, 1));
    }
    Map<Omitted, StreamFact> facts =
        Map.of(
            Omitted.NAME, new StreamFact.Renamed(number, PosixPath.of("/p/other"), 1),
            Omitted.GAP, new StreamFact.Missing(number, new ByteRange(10, 20), "lost", 1),
            Omitted.END, new StreamFact.Ended(number, EndReason.DELETED, 30, 1),
            Omitted.CHANGE, new StreamFact.ChangedInPlace(number, true));
    for (Map.Entry<Omitted, StreamFact> fact : facts.entrySet()) {
      if (!omitted.equals(Optional.of(fact.getKey()))) {
        packs.say(fact.getValue());
      }
    }
    packs.deliver();
    return packs;
  }

  private void copy(TestArchive from, String key) throws IOException {
    try (InputStream object = from.destination.read(key, 0, Long.MAX_VALUE)) {
      archive.destination.putSegment(key, ByteBuffer.wrap(object.readAllBytes()));
    }
  }

  /** Whoever removes the forged one must have all that was delivered. */
  @Test
  void aMergedPackThatLacksWhatItCoversIsMergedWithNoOtherOne() throws IOException {
    deliver(false);
    String forged = claimNumbers(PACKS / 2, List.of());

    for (int run = 0; run < 2; run++) {
      CompactReport report = compact(archive.destination);

      assertEquals(List.of(forged), report.damages().stream().map(Damage::key).toList());
    }
    archive.destination.delete(forged);
    assertFilesAreWhole();
  }

  /** Puts a pack that seems to be those of the group merged, and has nothing of them. */
  private String claimNumbers(int last, List<Recipient> recipients) throws IOException {
    return claimNumbers(last, recipients, 0);
  }

  private String claimNumbers(int last, List<Recipient> recipients, int lengthBytes)
      throws IOException {
    PackGroup group = packs().getFirst().id().group();
    try (PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1),
            recipients,
            Optional.empty(),
            new SecureRandom(),
            Optional.empty())) {
      PackId all = new PackId("web-1", group, 0, last);
      sealer.begin(new byte[lengthBytes + (1 << 20)], all, 1 << 16);
      TestArchive.TestStream other = archive.stream("/p/other", 99);
      sealer.describe(new PackedStream(0, other.id, other.birthPath, other.path, 0600));
      if (lengthBytes > 0) {
        byte[] bytes = Bytes.random(lengthBytes, 1);
        sealer.beginRange(0, 0, lengthBytes, 0);
        for (int at = 0; at < lengthBytes; at += sealer.blockBytes()) {
          sealer.append(bytes, at, Math.min(sealer.blockBytes(), lengthBytes - at));
        }
        sealer.endRange(0, 0);
      }
      SealedPack pack = sealer.finish(1);
      archive.destination.putSegment(pack.name().key(), pack.content());
      return pack.name().key();
    }
  }

  /** Packs are merged within their groups first, and what came of that across groups. */
  @Test
  void aPackThatIsMergedTwiceCountsOnceAndADryRunSaysTheSame() throws IOException {
    deliver(false);
    deliverGroups(3);
    CompactReport planned = plan();
    CompactReport report = compact(archive.destination);
    assertEquals(PACKS + 3, report.packs());
    assertEquals(PACKS + 2, report.mergedPacks(), "the agent may go on in the last group");
    assertEquals(1, report.mergedInto());
    assertEquals(PACKS + 2, report.removedPacks());
    assertEquals(2, packs().size());
    assertEquals(report.mergedPacks(), planned.mergedPacks());
    assertEquals(report.mergedInto(), planned.mergedInto());
    assertEquals(report.bytesBefore(), planned.bytesBefore());
    assertTrue(report.bytesAfter() > 0 && report.bytesAfter() < report.bytesBefore());
    assertWhole();
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
        compactAndDie(call, crash);
        assertWhole();
      }
      assertTrue(call < 100, "it never finishes");
    }
    assertEquals(1, packs().size());
    assertWhole();
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
    assertFalse(report.damages().getFirst().why().contains(damaged), "the key is named once");
    assertEquals(PACKS, packs().size());
    assertEquals(0, report.removedPacks());
  }

  @ParameterizedTest
  @EnumSource(names = {"FAIL_TRANSIENT", "LOSE_ANSWER"})
  void putsAndRemovalsThatFailOnceAreRepeated(DestinationFault fault) throws IOException {
    deliver(true);
    deliverGroups(3);
    Set<String> failed = new HashSet<>();
    Destination weak =
        FaultyDestination.wrap(
            archive.destination,
            call ->
                (call.is("putSegment") || call.is("delete"))
                        && failed.add(call.method() + call.key())
                    ? fault
                    : DestinationFault.PROCEED);
    CompactReport report = compact(weak);
    assertEquals(List.of(), report.damages());
    assertEquals(PACKS + 2, report.removedPacks());
    assertTrue(report.manifests() > 0);
    assertWhole();
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

  /** Receipts name the packs of each group. */
  @Test
  void signedGroupsStayApartAndAreCounted() throws IOException {
    SigningKey key = SigningKey.generate(new SecureRandom());
    archive.signedBy(new ObjectSigner(key, () -> 1));
    deliverGroups(4);
    trust = Trust.of(key.publicKey());
    signer = Optional.of(new ObjectSigner(key, () -> 2));
    assertEquals(3, plan().signedApart());
    CompactReport report = compact(archive.destination);
    assertEquals(3, report.signedApart(), "the agent may go on in the last group");
    assertEquals(0, report.mergedPacks());
    assertEquals(4, packs().size());
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
  void packsWithTooManyFactsForOneBecomeSeveral() throws IOException {
    PackGroup group = PackGroup.begin(1000, new SecureRandom());
    for (int pack = 0; pack < 4; pack++) {
      int first = pack * 60_000;
      put(
          new PackId("web-1", group, pack),
          sealer -> {
            for (int i = 0; i < 60_000; i++) {
              sealer.say(new StreamFact.Continued(first + i));
            }
          });
    }

    assertEquals(List.of(), compact(archive.destination).damages());

    assertEquals(
        List.of(new PackId("web-1", group, 0, 2), new PackId("web-1", group, 3)),
        packs().stream().map(PackName::id).toList());
  }

  @Test
  void packsWithTooLongPathsForOneBecomeSeveral() throws IOException {
    PackGroup group = PackGroup.begin(1000, new SecureRandom());
    String folder = ("/" + "x".repeat(249)).repeat(16);
    for (int pack = 0; pack < 3; pack++) {
      int first = pack * 6000;
      put(
          new PackId("web-1", group, pack),
          sealer -> {
            for (int number = first; number < first + 6000; number++) {
              PosixPath path = PosixPath.of(folder + "/" + number);
              StreamId id = archive.stream("/p/" + number, number).id;
              sealer.describe(new PackedStream(number, id, path, path, 0640));
            }
          });
    }

    assertEquals(List.of(), compact(archive.destination).damages());

    assertEquals(
        List.of(new PackId("web-1", group, 0, 1), new PackId("web-1", group, 2)),
        packs().stream().map(PackName::id).toList());
  }

  private void put(PackId id, Consumer<PackSealer> contents) throws IOException {
    try (PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1), List.of(), Optional.empty(), new SecureRandom(), Optional.empty())) {
      sealer.begin(new byte[32 << 20], id, 30 << 20);
      contents.accept(sealer);
      SealedPack pack = sealer.finish(1_700_000_000_000L);
      archive.destination.putSegment(pack.name().key(), pack.content());
    }
  }

  @Test
  void youngGroupsAreLeftAlone() throws IOException {
    deliver(false);
    CompactReport report = compactGroupsBefore(0);
    assertEquals(PACKS, report.youngPacks());
    assertEquals(PACKS, packs().size());
  }
}
