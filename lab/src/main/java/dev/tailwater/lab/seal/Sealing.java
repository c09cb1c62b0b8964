package dev.tailwater.lab.seal;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** A trial that seals the same segment repeatedly in memory, in one thread. Not thread-safe. */
final class Sealing implements AutoCloseable {
  private static final String AGENT = "lab";
  private static final PosixPath PATH = PosixPath.of("/var/log/access.log");
  private static final StreamId STREAM =
      StreamId.of(AGENT, new FileIdentity(1, 2, OptionalLong.of(3), OptionalLong.of(4)), 0);
  private static final String PREFIX = ArchiveNames.streamPrefix(AGENT, PATH, STREAM);
  private static final int BLOCK_BYTES = 1 << 20;
  private static final double GIBIBYTE = 1L << 30;

  private final SecureRandom random = new SecureRandom();
  private final List<Recipient> recipients = List.of(KeyPair.generate(random).recipient());
  private final Map<SealVariant, SegmentSealer> sealers = new LinkedHashMap<>();
  private final List<byte[]> blocks = new ArrayList<>();
  private byte[] staging = {};

  /** Prepares the given number of mebibytes of lines of an access log. */
  Sealing(int mebibytes, long seed) throws IOException {
    AccessLog lines = new AccessLog(seed);
    for (int i = 0; i < mebibytes; i++) {
      ByteArrayOutputStream block = new ByteArrayOutputStream(BLOCK_BYTES);
      lines.write(block, BLOCK_BYTES);
      blocks.add(block.toByteArray());
    }
  }

  /**
   * Returns the throughput in MB/s, the ratio, and the processor seconds for each GiB, all for the
   * bytes before sealing.
   */
  double[] measure(SealVariant variant) {
    SegmentSealer sealer = sealers.computeIfAbsent(variant, this::sealer);
    long rawBytes = (long) blocks.size() * BLOCK_BYTES;
    int needed = sealer.stagingBytesFor(rawBytes);
    if (staging.length < needed) {
      staging = new byte[needed];
    }
    long processorNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long nanos = System.nanoTime();
    sealer.begin(staging, AGENT, STREAM, PREFIX, 0);
    for (byte[] block : blocks) {
      sealer.append(block, 0, block.length);
    }
    SealedSegment sealed = sealer.finish(PATH, 0, 0600, 0);
    nanos = System.nanoTime() - nanos;
    processorNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - processorNanos;
    return new double[] {
      rawBytes * 1e3 / nanos,
      rawBytes / (double) sealed.content().remaining(),
      processorNanos / 1e9 * (GIBIBYTE / rawBytes)
    };
  }

  private SegmentSealer sealer(SealVariant variant) {
    return new SegmentSealer(
        Codec.parse(variant.codec()),
        variant.encrypted() ? Objects.requireNonNull(recipients) : List.of(),
        Optional.of(ContentKey.of(ContentKey.generate(random))),
        random,
        StreamingCopy.load());
  }

  @Override
  public void close() {
    sealers.values().forEach(SegmentSealer::close);
  }
}
