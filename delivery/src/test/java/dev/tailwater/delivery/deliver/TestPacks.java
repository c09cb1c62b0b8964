package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Packs for deliveries, about no stream that the agent has. */
final class TestPacks {
  private static final String AGENT = "agent";
  private static final FileIdentity IDENTITY =
      new FileIdentity(5, 7, OptionalLong.of(1), OptionalLong.of(1));
  private static final PosixPath PATH = PosixPath.of("/logs/app.log");

  private final SecureRandom random = new SecureRandom();

  PackGroup group() {
    return PackGroup.begin(1_000, random);
  }

  PackedDelivery pack(PackGroup group, int sequence, Runnable release) {
    return pack(group, sequence, List.of(), release);
  }

  PackedDelivery pack(
      PackGroup group, int sequence, List<PackedDelivery.Part> parts, Runnable release) {
    return new PackedDelivery(
        sealed(new PackId(AGENT, group, sequence)),
        Optional.empty(),
        Optional.empty(),
        parts,
        List.of(),
        List.of(),
        0,
        release);
  }

  private SealedPack sealed(PackId id) {
    try (PackSealer sealer =
        new PackSealer(new Codec.Zstd(1), List.of(), Optional.empty(), random)) {
      sealer.begin(new byte[1 << 16], id, 1 << 12);
      sealer.describe(new PackedStream(0, StreamId.of(AGENT, IDENTITY, 0), PATH, PATH, 0640));
      sealer.beginRange(0, 0, 1);
      sealer.append(new byte[1], 0, 1);
      sealer.endRange(1);
      return sealer.finish(1);
    }
  }
}
