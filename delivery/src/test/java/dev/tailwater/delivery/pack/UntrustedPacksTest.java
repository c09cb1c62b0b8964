package dev.tailwater.delivery.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.manifest.ListedManifest;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.merge.PackInput;
import dev.tailwater.archive.merge.PackMerge;
import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.archive.sign.FrameSignature;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.delivery.trust.DoubtedStream;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which packs and manifests count when an agent asks the archive what it has delivered. */
class UntrustedPacksTest {
  private static final long BEGUN_NANOS = 1_000_000_000_000_000_000L;
  private static final String AGENT = "agent";

  /** Where a plain pack states its version: behind the frame's header and the magic number. */
  private static final int VERSION_AT = 12;

  private static final ContentKey KEY = ContentKey.of(new byte[ContentKey.KEY_BYTES]);
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final SigningKey OWN = SigningKey.generate(new SecureRandom());
  private static final SigningKey OTHER = SigningKey.generate(new SecureRandom());

  private final Destination destination = InMemoryDestination.create();
  private final SecureRandom random = new SecureRandom();
  private final PackGroup group = PackGroup.begin(BEGUN_NANOS, random);
  private final List<Problem> said = new ArrayList<>();

  private static PackedStream stream(int number) {
    FileIdentity identity =
        new FileIdentity(5, 10 + number, OptionalLong.of(1), OptionalLong.of(1000));
    PosixPath path = PosixPath.of("/p/file" + number);
    return new PackedStream(number, StreamId.of(AGENT, identity, 0), path, path, 0640);
  }

  /** A pack with 100 bytes of one file; the first of its group describes it. */
  private SealedPack pack(boolean encrypted, SigningKey key, int sequence, long start) {
    try (PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1),
            encrypted ? List.of(KEYS.recipient()) : List.of(),
            Optional.of(KEY),
            random,
            Optional.of(new ObjectSigner(key, () -> 0)))) {
      sealer.begin(new byte[1 << 20], new PackId(AGENT, group, sequence), 1 << 16);
      if (sequence == 0) {
        sealer.describe(stream(7));
      }
      sealer.beginRange(7, start, 100);
      sealer.append(new byte[100], 0, 100);
      sealer.endRange(1);
      return sealer.finish(1);
    }
  }

  private SealedPack put(SealedPack pack) throws Exception {
    destination.putSegment(pack.name().key(), pack.content());
    return pack;
  }

  private PackInventory read(Trust trust) throws Exception {
    Problems problems =
        new Problems(
            new ProblemListener() {
              @Override
              public void began(Problem problem) {
                said.add(problem);
              }

              @Override
              public void ended(Problem problem) {}
            },
            () -> 0);
    PackInventory inventory =
        new PackInventory(
            destination,
            AGENT,
            () -> Optional.of(KEY),
            problems,
            new ArchiveTrust(trust, Optional.empty(), destination, problems),
            new GroupBound(() -> TimeUnit.NANOSECONDS.toMillis(BEGUN_NANOS)));
    inventory.read(Optional.empty());
    return inventory;
  }

  private static Map<String, List<ByteRange>> held(PackInventory inventory) {
    Map<String, List<ByteRange>> held = new TreeMap<>();
    inventory.all().forEach(one -> held.put(one.streamPrefix(), one.ranges().ranges()));
    return held;
  }

  private static List<ByteRange> ranges(PackInventory inventory) {
    return held(inventory).values().stream().flatMap(List::stream).toList();
  }

  @Test
  void aGroupOfATimeThatNoClockWasAheadToIsNotTheLast() throws Exception {
    SealedPack own = put(pack(false, OWN, 0, 0));
    PackGroup forged = PackGroup.begin(Long.MAX_VALUE, random);
    destination.putSegment(
        new PackName(new PackId(AGENT, forged, 0), 1, false).key(), ByteBuffer.wrap(new byte[1]));
    PackInventory inventory = read(Trust.of(OWN.publicKey()));
    Optional<PackGroup> last = Optional.of(own.name().id().group());
    assertEquals(last, inventory.latest());
    assertEquals(last, inventory.lastListed());
    assertEquals(last, inventory.lastGroup());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPackOfSomebodyElseCountsForNothingButDoubt(boolean encrypted) throws Exception {
    put(pack(encrypted, OWN, 0, 0));
    put(pack(encrypted, OTHER, 1, 100)); // It names the stream by the number that the other gave.
    PackInventory inventory = read(Trust.of(OWN.publicKey()));
    assertEquals(List.of(new ByteRange(0, 100)), ranges(inventory));
    assertEquals(
        List.of(stream(7).stream()),
        inventory.doubted().stream().map(DoubtedStream::stream).toList());
    assertEquals(1, inventory.trust().refused());
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.getFirst().message().contains("not trusted"), said.toString());
    assertTrue(said.getFirst().hint().orElseThrow().contains("trusted_keys"), said.toString());
    assertEquals(List.of(new ByteRange(0, 200)), ranges(read(Trust.none())));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aManifestThatLiesIsNotBelieved(boolean encrypted) throws Exception {
    SealedPack own = put(pack(encrypted, OWN, 0, 0));
    SealedPack next = put(pack(encrypted, OWN, 1, 100));
    SealedPack lie = pack(encrypted, OTHER, 1, 120);
    assertEquals(next.name(), lie.name(), "the length of the front is in the name");
    ManifestStore store = new ManifestStore(destination, AGENT);
    byte[] front = new byte[PackFront.of(next.name(), next.content()).bytes().length];
    lie.content().get(front);
    store.put(
        ManifestName.of(AGENT, 1, random),
        List.of(
            PackFront.of(own.name(), own.content()),
            new PackFront(next.name(), next.lengthBytes(), front)));
    List<ListedManifest> listed = store.list();
    assertEquals(2, store.read(listed.getFirst()).size());
    PackInventory inventory = read(Trust.of(OWN.publicKey()));
    assertEquals(List.of(new ByteRange(0, 200)), ranges(inventory));
    assertEquals(0, inventory.trust().refused(), "the packs themselves are the agent's");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMergedPackCountsIfItsCompactorIsNamed(boolean encrypted) throws Exception {
    List<PackInput> inputs = new ArrayList<>();
    List<AgeStanza> carried = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      SealedPack pack = put(pack(encrypted, OWN, i, i * 100L));
      byte[] object = new byte[pack.lengthBytes()];
      pack.content().get(object);
      PackOpener opener = new PackOpener();
      inputs.add(
          new PackInput(
              opener.open(pack.name(), new ByteArrayInputStream(object), List.of(KEYS.identity())),
              object));
      if (encrypted) {
        carried.addAll(opener.stanzasForAgent(pack.name(), new ByteArrayInputStream(object)));
      }
    }
    SealedPack merged = merged(encrypted, inputs, carried);
    Trust own = Trust.of(OWN.publicKey());
    PackInventory beside = read(own);
    assertEquals(List.of(new ByteRange(0, 200)), ranges(beside));
    assertEquals(List.of(), beside.superseded(), "nothing is removed for it");
    Trust both =
        Trust.parseAny("keys", "compactor c " + OTHER.publicKey().text()).with(OWN.publicKey());
    assertEquals(2, read(both).superseded().size());
    for (PackInput input : inputs) {
      destination.delete(input.pack().name().key());
    }
    assertEquals(List.of(), ranges(read(own)));
    assertEquals(1, read(own).doubted().size());
    assertEquals(List.of(new ByteRange(0, 200)), ranges(read(both)));
    byte[] there = new byte[merged.lengthBytes()];
    merged.content().get(there);
    assertArrayEquals(
        there,
        destination.read(merged.name().key(), 0, merged.lengthBytes()).readAllBytes(),
        "it stays as it is");
  }

  private SealedPack merged(boolean encrypted, List<PackInput> inputs, List<AgeStanza> carried)
      throws Exception {
    PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1),
            encrypted ? List.of(KEYS.recipient()) : List.of(),
            Optional.empty(),
            random,
            Optional.of(new ObjectSigner(OTHER, () -> 0)));
    try (sealer) {
      return put(
          PackMerge.joining(inputs, carried)
              .orElseThrow()
              .seal(sealer, () -> {}, Optional.empty()));
    }
  }

  /** Whoever can only repeat what the agent has signed says nothing that is not true. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPackThatIsPutBackCounts(boolean encrypted) throws Exception {
    SealedPack first = put(pack(encrypted, OWN, 0, 0));
    SealedPack second = put(pack(encrypted, OWN, 1, 100));
    destination.delete(second.name().key());
    assertEquals(List.of(new ByteRange(0, 100)), ranges(read(Trust.of(OWN.publicKey()))));
    put(second);
    assertEquals(List.of(new ByteRange(0, 200)), ranges(read(Trust.of(OWN.publicKey()))));
    // Under another name, it is not what was signed.
    String moved = first.name().key().replace("/000000-000000-", "/000002-000002-");
    destination.putSegment(moved, first.content());
    PackInventory inventory = read(Trust.of(OWN.publicKey()));
    assertEquals(List.of(new ByteRange(0, 200)), ranges(inventory));
    assertEquals(1, inventory.trust().refused());
  }

  /** A pack as a later version would write it, without the signature that this would have. */
  private static byte[] newer(SealedPack pack) {
    byte[] object = bytes(pack);
    if (pack.name().encrypted()) {
      byte[] line = "age-encryption.org/v1".getBytes(StandardCharsets.US_ASCII);
      assertArrayEquals(line, Arrays.copyOf(object, line.length));
      object[line.length - 1] = '2';
    } else {
      object[VERSION_AT] = 100;
    }
    return object;
  }

  private static byte[] bytes(SealedPack pack) {
    byte[] object = new byte[pack.lengthBytes()];
    pack.content().get(object);
    return object;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aForgedPackOfANewerVersionIsNamedAndStopsNothing(boolean encrypted) throws Exception {
    put(pack(encrypted, OWN, 0, 0));
    SealedPack forged = pack(encrypted, OTHER, 1, 100);
    destination.putSegment(forged.name().key(), ByteBuffer.wrap(newer(forged)));
    PackInventory inventory = read(Trust.of(OWN.publicKey()));
    assertEquals(List.of(new ByteRange(0, 100)), ranges(inventory));
    assertEquals(1, inventory.trust().refused());
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.getFirst().message().contains(forged.name().key()), said.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whereNoSignatureCountsAPackOfANewerVersionStopsTheAgent(boolean encrypted) throws Exception {
    SealedPack pack = pack(encrypted, OWN, 0, 0);
    destination.putSegment(pack.name().key(), ByteBuffer.wrap(newer(pack)));
    PermanentDestinationException stopped =
        assertThrows(PermanentDestinationException.class, () -> read(Trust.none()));
    String says = String.valueOf(stopped.getMessage());
    assertTrue(says.contains(pack.name().key()), says);
    assertTrue(stopped.hint().contains("signing_key_file"), stopped.hint());
  }

  /** What a newer agent has signed may be delivered already. */
  @Test
  void aPackOfANewerVersionThatIsSignedStopsTheAgent() throws Exception {
    SealedPack pack = pack(false, OWN, 0, 0);
    byte[] object = newer(pack);
    int envelopeBytes = Integer.reverseBytes(ByteBuffer.wrap(object).getInt(4)) + 8;
    byte[] envelope = Arrays.copyOf(object, envelopeBytes);
    FrameSignature before =
        FrameSignature.decode(
                Arrays.copyOfRange(object, envelopeBytes, pack.name().frontBytes()), false)
            .orElseThrow();
    byte[] signature =
        FrameSignature.sign(
                pack.name().subject(), envelope, before.digests(), new ObjectSigner(OWN, () -> 0))
            .encode(false);
    System.arraycopy(signature, 0, object, envelopeBytes, signature.length);
    destination.putSegment(pack.name().key(), ByteBuffer.wrap(object));
    PermanentDestinationException stopped =
        assertThrows(PermanentDestinationException.class, () -> read(Trust.of(OWN.publicKey())));
    String says = String.valueOf(stopped.getMessage());
    assertTrue(says.contains(pack.name().key()), says);
    assertTrue(says.contains("format version 100"), says);
    assertTrue(stopped.hint().contains("Run the version of Tailwater"), stopped.hint());
  }
}
