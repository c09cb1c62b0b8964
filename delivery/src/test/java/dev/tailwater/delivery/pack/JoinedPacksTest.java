package dev.tailwater.delivery.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.merge.PackInput;
import dev.tailwater.archive.merge.PackMerge;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.problem.UnheardProblems;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packs that another host has made of several groups tell the agent what it has delivered. */
class JoinedPacksTest {
  private static final String AGENT = "web-1";
  private static final ContentKey KEY = ContentKey.of(new byte[ContentKey.KEY_BYTES]);
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());

  private final Destination destination = InMemoryDestination.create();
  private final SecureRandom random = new SecureRandom();

  private static PackedStream stream(int number, int inode) {
    FileIdentity identity =
        new FileIdentity(5, inode, OptionalLong.of(1), OptionalLong.of(1000 + inode));
    PosixPath path = PosixPath.of("/p/file" + inode);
    return new PackedStream(number, StreamId.of(AGENT, identity, 0), path, path, 0640);
  }

  /** A pack with 100 bytes of each of two files, the first of which has the number 0. */
  private SealedPack pack(PackGroup group, boolean encrypted, long start, int first, int second) {
    try (PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1),
            encrypted ? List.of(KEYS.recipient()) : List.of(),
            Optional.of(KEY),
            random)) {
      sealer.begin(new byte[1 << 20], new PackId(AGENT, group, 0), 1 << 16);
      sealer.describe(stream(0, first));
      sealer.describe(stream(1, second));
      for (int number = 0; number < 2; number++) {
        sealer.beginRange(number, start, 100);
        sealer.append(new byte[100], 0, 100);
        sealer.endRange(1);
      }
      return sealer.finish(1);
    }
  }

  private Map<String, List<ByteRange>> held() throws Exception {
    PackInventory inventory =
        new PackInventory(
            destination,
            AGENT,
            () -> Optional.of(KEY),
            new Problems(new UnheardProblems(), () -> 0));
    inventory.read(Optional.empty());
    Map<String, List<ByteRange>> held = new TreeMap<>();
    inventory.all().forEach(one -> held.put(one.streamPrefix(), one.ranges().ranges()));
    return held;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatSeveralGroupsHeldIsKnown(boolean encrypted) throws Exception {
    PackGroup first = PackGroup.begin(1000, random);
    List<SealedPack> packs =
        List.of(
            pack(first, encrypted, 0, 1, 2),
            pack(PackGroup.beginAfter(first, 0, random), encrypted, 100, 2, 3));
    List<PackInput> inputs = new ArrayList<>();
    List<AgeStanza> carried = new ArrayList<>();
    for (SealedPack pack : packs) {
      destination.putSegment(pack.name().key(), pack.content());
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
    Map<String, List<ByteRange>> before = held();
    assertEquals(3, before.size());
    try (PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1),
            encrypted ? List.of(KEYS.recipient()) : List.of(),
            Optional.empty(),
            random)) {
      SealedPack joined =
          PackMerge.joining(inputs, carried).orElseThrow().seal(sealer, () -> {}, Optional.empty());
      destination.putSegment(joined.name().key(), joined.content());
    }
    assertEquals(before, held(), "beside what it was made of");
    for (SealedPack pack : packs) {
      destination.delete(pack.name().key());
    }
    assertEquals(before, held());
  }
}
