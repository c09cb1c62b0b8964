package dev.tailwater.bench.agent;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.Samples;
import dev.tailwater.bench.run.SizeOptions;
import dev.tailwater.bench.run.ThreadTime;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench sign}: what signatures cost when a file is read from the page cache and sealed into
 * segments, which is nearly all that a delivery takes of the processor.
 */
@Command(name = "sign", description = "Sealing with signatures beside sealing without them.")
public final class SignBenchmark implements Callable<Integer> {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int SEGMENT_BYTES = 8 << 20;
  private static final String AGENT = "bench";
  private static final PosixPath PATH = PosixPath.of("/var/log/access.log");
  private static final StreamId STREAM =
      StreamId.of(AGENT, new FileIdentity(1, 2, OptionalLong.of(3), OptionalLong.of(4)), 0);

  @Option(names = "--work", required = true, paramLabel = "DIR", description = "A directory.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 11;

  @Mixin private SizeOptions size = new SizeOptions();

  private final byte[] block = new byte[BLOCK_BYTES];

  @Override
  public Integer call() throws IOException {
    Path file = Files.createDirectories(work).toRealPath().resolve("access.log");
    RunReport report =
        new RunReport("sign", work, ProgramOptions.directories(runs))
            .condition(
                "command", "bench sign --mib " + (size.sizeBytes() >> 20) + " --rounds " + rounds);
    size.generate(file);
    SecureRandom random = new SecureRandom();
    List<Recipient> recipients = List.of(KeyPair.generate(random).recipient());
    ObjectSigner signer = new ObjectSigner(SigningKey.generate(random), System::currentTimeMillis);
    Map<String, Variant> variants = new LinkedHashMap<>();
    variants.put("zstd1", new Variant(new Codec.Zstd(1), List.of()));
    variants.put("zstd1Encrypted", new Variant(new Codec.Zstd(1), recipients));
    variants.put("store", new Variant(new Codec.Store(), List.of()));
    variants.put("storeEncrypted", new Variant(new Codec.Store(), recipients));
    ThreadTime time = new ThreadTime();
    variants.forEach(
        (name, variant) -> {
          time.add(name, () -> seal(file, variant, Optional.empty()));
          time.add(name + "Signed", () -> seal(file, variant, Optional.of(signer)));
        });
    Map<String, Samples> speeds = time.megabytesPerSecond(rounds);
    report.result("megabytesPerProcessorSecond", speeds);
    Map<String, Object> costs = new LinkedHashMap<>();
    for (String name : variants.keySet()) {
      double unsigned = median(speeds, name);
      costs.put(name, unsigned / median(speeds, name + "Signed"));
    }
    report.result("processorTimeSignedToUnsigned", costs);
    report.finish();
    Files.delete(file);
    return 0;
  }

  private record Variant(Codec codec, List<Recipient> recipients) {}

  private static double median(Map<String, Samples> speeds, String name) {
    Samples samples = speeds.get(name);
    if (samples == null) {
      throw new IllegalStateException("not measured: " + name);
    }
    return samples.median();
  }

  private long seal(Path file, Variant variant, Optional<ObjectSigner> signer) throws IOException {
    long sealed = 0;
    try (SegmentSealer sealer =
            new SegmentSealer(
                variant.codec(),
                variant.recipients(),
                Optional.empty(),
                new SecureRandom(),
                StreamingCopy.load(),
                signer);
        InputStream in = Files.newInputStream(file)) {
      byte[] staging = new byte[sealer.stagingBytesFor(SEGMENT_BYTES)];
      String prefix = ArchiveNames.streamPrefix(AGENT, PATH, STREAM);
      int taken = in.readNBytes(block, 0, block.length);
      while (taken > 0) {
        sealer.begin(staging, AGENT, STREAM, prefix, sealed);
        for (int bytes = 0; taken > 0 && bytes < SEGMENT_BYTES; bytes += BLOCK_BYTES) {
          sealer.append(block, 0, taken);
          sealed += taken;
          taken = in.readNBytes(block, 0, block.length);
        }
        var _ = sealer.finish(PATH, 0, 0644, 0);
      }
    }
    return sealed;
  }
}
