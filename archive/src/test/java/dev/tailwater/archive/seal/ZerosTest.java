package dev.tailwater.archive.seal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.Crc32cCombination;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long runs of zeros that nobody has to read. */
class ZerosTest {
  private static final String AGENT = "agent";
  private static final PosixPath PATH = PosixPath.of("/var/log/sparse");
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());

  static List<Codec> codecs() {
    return List.of(new Codec.Zstd(1), new Codec.Gzip(1), new Codec.Store());
  }

  private static StreamId stream() {
    return new StreamId("0000000000000-0123456789abcdef-0000000");
  }

  private static SegmentSealer sealer(Codec codec) {
    return new SegmentSealer(
        codec,
        List.of(KEYS.recipient()),
        Optional.empty(),
        new SecureRandom(),
        StreamingCopy.load());
  }

  private static void open(SealedSegment segment, OutputStream raw) throws Exception {
    ArchiveObject.Segment name =
        (ArchiveObject.Segment) ArchiveNames.parse(segment.key()).orElseThrow();
    new SegmentOpener()
        .open(
            name,
            new ByteArrayInputStream(segment.staging(), segment.from(), segment.lengthBytes()),
            List.of(KEYS.identity()),
            raw);
  }

  private static SealedSegment finish(SegmentSealer sealer) {
    return sealer.finish(PATH, 0, 0644, 0);
  }

  private static void begin(SegmentSealer sealer, int stagingBytes) {
    String prefix = ArchiveNames.streamPrefix(AGENT, PATH, stream());
    sealer.begin(new byte[stagingBytes], AGENT, stream(), prefix, 0);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void zerosBetweenBytesComeOutAsTheyAre(Codec codec) throws Exception {
    byte[] some = new byte[100_000];
    new Random(1).nextBytes(some);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    try (SegmentSealer sealer = sealer(codec)) {
      begin(sealer, 4 << 20);
      for (int zeros : new int[] {1, 128 * 1024, 128 * 1024 + 1, 5_000_000, 1 << 20}) {
        sealer.appendZeros(zeros);
        expected.writeBytes(new byte[zeros]);
        sealer.append(some, 0, some.length);
        expected.writeBytes(some);
      }
      sealer.appendZeros(3_000_000);
      expected.writeBytes(new byte[3_000_000]);
      open(finish(sealer), raw);
    }
    assertArrayEquals(expected.toByteArray(), raw.toByteArray());
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void asManyZerosAsFitAreOpenedAgain(Codec codec) throws Exception {
    long fitting;
    long[] opened = {0};
    try (SegmentSealer sealer = sealer(codec)) {
      begin(sealer, 64 * 1024);
      fitting = sealer.zerosFitting();
      assertThrows(IllegalStateException.class, () -> sealer.appendZeros(fitting + 1));
      sealer.appendZeros(fitting);
      open(
          finish(sealer),
          new OutputStream() {
            @Override
            public void write(int b) {
              assertEquals(0, b);
              opened[0]++;
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
              assertTrue(Arrays.equals(new byte[length], 0, length, bytes, from, from + length));
              opened[0] += length;
            }
          });
    }
    assertEquals(fitting, opened[0]);
    assertTrue(fitting > 30L << 20, fitting + " zeros in 64 KiB");
  }

  @Test
  void theChecksumOfZerosIsComputed() {
    for (int length : new int[] {0, 1, 2, 3, 255, 256, 4097, 1_000_003}) {
      CRC32C crc = new CRC32C();
      crc.update(new byte[length]);
      assertEquals((int) crc.getValue(), Crc32cCombination.ofZeros(length), length + " zeros");
    }
  }
}
