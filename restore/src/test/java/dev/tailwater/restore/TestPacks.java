package dev.tailwater.restore;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.merge.PackInput;
import dev.tailwater.archive.merge.PackMerge;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes the packs of one group with the real sealer, without an agent. */
final class TestPacks {
  private static final int STAGING_BYTES = 4 << 20;
  private static final int FRONT_BYTES = 1 << 20;

  private final TestArchive archive;
  private final String agent;
  private final PackGroup group;
  private final List<Recipient> recipients;
  private final Map<TestArchive.TestStream, Integer> numbers = new HashMap<>();
  private final List<TestArchive.TestStream> undescribed = new ArrayList<>();
  private final TreeMap<Integer, List<Range>> ranges = new TreeMap<>();
  private final List<StreamFact> facts = new ArrayList<>();
  private long atMillis = 1_700_000_000_000L;
  private ContentKey contentKey = TestArchive.CONTENT_KEY;
  private int sequence;
  private final List<PackName> delivered = new ArrayList<>();

  private record Range(
      long startBytes,
      @SuppressWarnings("ArrayRecordComponent") byte[] raw,
      long revision,
      long modificationTimeNanos) {}

  TestPacks(TestArchive archive, String agent, long begunNanos, List<Recipient> recipients) {
    this(archive, agent, PackGroup.begin(begunNanos, new SecureRandom()), recipients);
  }

  TestPacks(TestArchive archive, String agent, PackGroup group, List<Recipient> recipients) {
    this.archive = archive;
    this.agent = agent;
    this.group = group;
    this.recipients = recipients;
  }

  /** The number of a stream, which the next pack describes if none has. */
  int number(TestArchive.TestStream stream) {
    return numbers.computeIfAbsent(
        stream,
        one -> {
          undescribed.add(one);
          return numbers.size();
        });
  }

  /** Adds a range to the next pack; those of one stream in their order. */
  TestPacks add(TestArchive.TestStream stream, long startBytes, byte[] raw) {
    ranges
        .computeIfAbsent(number(stream), any -> new ArrayList<>())
        .add(new Range(startBytes, raw, 0, stream.modifiedNanos));
    return this;
  }

  /** Adds bytes that replace others to the next pack. */
  TestPacks replace(TestArchive.TestStream stream, long startBytes, byte[] raw, long revision) {
    ranges
        .computeIfAbsent(number(stream), any -> new ArrayList<>())
        .add(new Range(startBytes, raw, revision, stream.modifiedNanos));
    return this;
  }

  /** Has the agent use another key for what it must be able to read of its packs. */
  TestPacks withContentKey(ContentKey key) {
    contentKey = key;
    return this;
  }

  TestPacks say(StreamFact fact) {
    facts.add(fact);
    return this;
  }

  /**
   * Merges some packs.
   *
   * @param removes whether those that it covers are removed
   */
  String merge(int from, int to, List<Identity> identities, boolean removes) throws IOException {
    return merge(from, to, identities, removes, Long.MIN_VALUE);
  }

  /**
   * Merges some packs.
   *
   * @param replacedByMillis bytes that were replaced up to then are left out
   */
  String merge(int from, int to, List<Identity> identities, boolean removes, long replacedByMillis)
      throws IOException {
    List<PackName> merged = List.copyOf(delivered.subList(from, to));
    List<PackInput> inputs = new ArrayList<>();
    List<AgeStanza> carried = new ArrayList<>();
    for (PackName name : merged) {
      byte[] object;
      try (InputStream in = archive.destination.read(name.key(), 0, Long.MAX_VALUE)) {
        object = in.readAllBytes();
      }
      PackOpener opener = new PackOpener();
      inputs.add(
          new PackInput(opener.open(name, new ByteArrayInputStream(object), identities), object));
      if (name.encrypted()) {
        carried.addAll(opener.stanzasForAgent(name, new ByteArrayInputStream(object)));
      }
    }
    try (PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(3), recipients, Optional.empty(), new SecureRandom(), archive.signer)) {
      SealedPack pack =
          PackMerge.of(inputs, carried, replacedByMillis)
              .orElseThrow()
              .seal(sealer, () -> {}, Optional.empty());
      archive.destination.putSegment(pack.name().key(), pack.content());
      delivered.subList(from, to).clear();
      delivered.add(from, pack.name());
      if (removes) {
        for (PackName name : merged) {
          archive.destination.delete(name.key());
        }
      }
      return pack.name().key();
    }
  }

  /** Has the next pack sealed at this time, and later ones after it. */
  TestPacks at(long millis) {
    atMillis = millis;
    return this;
  }

  /** Returns when the latest pack was sealed. */
  long latestMillis() {
    return atMillis - 1;
  }

  /** Returns how many packs there are. */
  int count() {
    return delivered.size();
  }

  /** Delivers a pack; returns its key. */
  String deliver() throws IOException {
    try (PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1),
            recipients,
            Optional.of(contentKey),
            new SecureRandom(),
            archive.signer)) {
      sealer.begin(new byte[STAGING_BYTES], new PackId(agent, group, sequence++), FRONT_BYTES);
      for (TestArchive.TestStream stream : undescribed) {
        sealer.describe(
            new PackedStream(
                    number(stream), stream.id, stream.birthPath, stream.path, stream.permissions)
                .withArrival(stream.arrivalNanos));
      }
      ranges.forEach(
          (number, all) -> {
            for (Range range : all) {
              sealer.beginRange(number, range.startBytes, range.raw.length, range.revision);
              sealer.append(range.raw, 0, range.raw.length);
              sealer.endRange(range.modificationTimeNanos);
            }
          });
      facts.forEach(sealer::say);
      SealedPack pack = sealer.finish(atMillis++);
      archive.destination.putSegment(pack.name().key(), pack.content());
      delivered.add(pack.name());
      undescribed.clear();
      ranges.clear();
      facts.clear();
      return pack.name().key();
    }
  }
}
