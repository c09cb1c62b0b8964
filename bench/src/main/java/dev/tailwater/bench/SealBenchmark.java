package dev.tailwater.bench;

import dev.tailwater.archive.ArchiveNames;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.KeyPair;
import dev.tailwater.archive.Recipient;
import dev.tailwater.archive.SegmentSealer;
import dev.tailwater.archive.StreamId;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench seal}: compressing and encrypting in memory, by codec and level. */
@Command(name = "seal", description = "Sealing segments in memory.")
final class SealBenchmark implements Callable<Integer> {
  private static final String AGENT = "bench";
  private static final PosixPath PATH = PosixPath.of("/var/log/access.log");
  private static final StreamId STREAM =
      StreamId.of(AGENT, new FileIdentity(1, 2, OptionalLong.of(3), OptionalLong.of(4)), 0);
  private static final String PREFIX = ArchiveNames.streamPrefix(AGENT, PATH, STREAM);
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int BLOCKS = 32;
  private static final List<String> CODECS =
      List.of("zstd:1", "zstd:3", "gzip:1", "gzip:6", "store");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 11;

  private final SecureRandom random = new SecureRandom();
  private byte[] staging = {};

  @Override
  public Integer call() throws IOException {
    RunReport report =
        new RunReport("seal", Path.of(""), ProgramOptions.directories(runs))
            .condition("command", "bench seal --rounds " + rounds)
            .condition("segmentRawBytes", (long) BLOCKS * BLOCK_BYTES);
    List<byte[]> blocks = new ArrayList<>();
    AccessLog lines = new AccessLog(1);
    for (int i = 0; i < BLOCKS; i++) {
      java.io.ByteArrayOutputStream block = new java.io.ByteArrayOutputStream(BLOCK_BYTES);
      lines.write(block, BLOCK_BYTES);
      blocks.add(block.toByteArray());
    }
    List<Recipient> recipients = List.of(KeyPair.generate(random).recipient());
    ThreadTime time = new ThreadTime();
    List<SegmentSealer> sealers = new ArrayList<>();
    for (String codec : CODECS) {
      for (List<Recipient> to : List.of(List.<Recipient>of(), recipients)) {
        SegmentSealer sealer =
            new SegmentSealer(Codec.parse(codec), to, random, StreamingCopy.load());
        sealers.add(sealer);
        time.add(codec + (to.isEmpty() ? "" : " encrypted"), () -> seal(sealer, blocks));
      }
    }
    report.result("megabytesPerProcessorSecond", time.megabytesPerSecond(rounds)).finish();
    sealers.forEach(SegmentSealer::close);
    return 0;
  }

  private long seal(SegmentSealer sealer, List<byte[]> blocks) {
    int needed = sealer.stagingBytesFor((long) blocks.size() * BLOCK_BYTES);
    if (staging.length < needed) {
      staging = new byte[needed];
    }
    sealer.begin(staging, AGENT, STREAM, PREFIX, 0);
    for (byte[] block : blocks) {
      sealer.append(block, 0, block.length);
    }
    sealer.finish(PATH, 0, 0600, 0);
    return (long) blocks.size() * BLOCK_BYTES;
  }
}
