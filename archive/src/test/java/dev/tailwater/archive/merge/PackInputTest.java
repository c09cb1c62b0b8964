package dev.tailwater.archive.merge;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.header.HeaderEnvelope;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackDirectoryFormat;
import dev.tailwater.archive.pack.PackUnit;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.PackedTree;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackInputTest {
  /** The second one is negative as an int. */
  @ParameterizedTest
  @ValueSource(longs = {1L << 30, 3L << 30, 1L << 40})
  void holdsNoUnitInMemoryThatMayBeOfAnyLength(long rawBytes) throws IOException {
    PackInput input = input(rawBytes);

    DamagedSegmentException refused =
        assertThrows(DamagedSegmentException.class, () -> input.unit(0, new byte[0]));

    assertTrue(refused.toString().contains(rawBytes + " raw bytes"), refused::toString);
    assertThrows(
        DamagedSegmentException.class, () -> new PartSums(input).crc32c(0, new ByteRange(0, 1000)));
  }

  @Test
  void mergesNoRangeThatFillsTheMemory() throws IOException {
    PackMerge merge = PackMerge.of(List.of(input(3L << 30)), List.of(), 0).orElseThrow();
    try (PackSealer sealer =
        new PackSealer(new Codec.Zstd(1), List.of(), Optional.empty(), new SecureRandom())) {
      DamagedSegmentException refused =
          assertThrows(
              DamagedSegmentException.class, () -> merge.seal(sealer, () -> {}, Optional.empty()));
      assertTrue(refused.toString().contains("too long to be merged"), refused::toString);
    }
  }

  private static PackInput input(long rawBytes) throws IOException {
    PackId id = new PackId("web-1", PackGroup.begin(1000, new SecureRandom()), 0);
    StreamId stream =
        StreamId.of("web-1", new FileIdentity(1, 2, OptionalLong.empty(), OptionalLong.empty()), 0);
    PosixPath path = PosixPath.of("/p/file");
    PackDirectory directory =
        new PackDirectory(
            id,
            0,
            List.of(new PackUnit(rawBytes, 1000)),
            List.of(new PackedStream(0, stream, path, path, 0600)),
            List.of(new PackedRange(0, new ByteRange(0, rawBytes), 0, 0, 0, 0)),
            List.of(),
            PackedTree.NONE);
    byte[] front = HeaderEnvelope.wrap(PackDirectoryFormat.encode(directory), false);
    PackName name = new PackName(id, front.length, false);
    return new PackInput(
        new PackOpener().open(name, new ByteArrayInputStream(front), List.of()), front);
  }
}
