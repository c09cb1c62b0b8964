package dev.tailwater.bench.file;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.bench.run.SizeOptions;
import dev.tailwater.bench.run.ThreadTime;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench read}: {@link TailReader} beside what the JDK has, into a heap array (which is what
 * a compressor and a cipher want), from a file that is in the page cache.
 */
@Command(name = "read", description = "TailReader beside the JDK's ways of reading.")
public final class ReadBenchmark implements Callable<Integer> {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int SMALL_BLOCK_BYTES = 8 << 10;
  private static final int AT_CWD = -100;

  @Option(names = "--work", required = true, paramLabel = "DIR", description = "A directory.")
  private Path work = Path.of("");

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 11;

  @Mixin private SizeOptions size = new SizeOptions();

  private final byte[] block = new byte[BLOCK_BYTES];
  private final byte[] smallBlock = new byte[SMALL_BLOCK_BYTES];
  private final ByteBuffer heap = ByteBuffer.wrap(block);
  private final ByteBuffer direct = ByteBuffer.allocateDirect(BLOCK_BYTES);

  @Override
  public Integer call() throws IOException {
    Path file = Files.createDirectories(work).toRealPath().resolve("access.log");
    RunReport report =
        new RunReport("read", work, ProgramOptions.directories(runs))
            .condition(
                "command", "bench read --mib " + (size.sizeBytes() >> 20) + " --rounds " + rounds);
    size.generate(file);
    FileCalls calls = LinuxFileCalls.create();
    ThreadTime time = new ThreadTime();
    try (TailReader reader = new TailReader(calls);
        Descriptor descriptor = Descriptor.open(calls, AT_CWD, PosixPath.of(file), Set.of(), 0)) {
      time.add("tailReader1MiB", () -> tailReader(reader, descriptor.fd()));
      time.add("inputStream1MiB", () -> stream(file, block));
      time.add("inputStream8KiB", () -> stream(file, smallBlock));
      time.add("fileChannelHeapBuffer1MiB", () -> channel(file, heap, false));
      time.add("fileChannelDirectBuffer1MiB", () -> channel(file, direct, false));
      time.add("fileChannelDirectBufferAndCopy1MiB", () -> channel(file, direct, true));
      report.result("megabytesPerProcessorSecond", time.megabytesPerSecond(rounds));
    }
    report.finish();
    Files.delete(file);
    return 0;
  }

  private long tailReader(TailReader reader, int fd) throws IOException {
    long offset = 0;
    for (int read = 1; read > 0; offset += read) {
      read = reader.read(fd, offset, block, 0, BLOCK_BYTES);
    }
    return offset;
  }

  private static long stream(Path file, byte[] target) throws IOException {
    long total = 0;
    try (InputStream in = new java.io.FileInputStream(file.toFile())) {
      for (int read = 0; read >= 0; read = in.read(target)) {
        total += read;
      }
    }
    return total;
  }

  private long channel(Path file, ByteBuffer target, boolean copy) throws IOException {
    long total = 0;
    try (FileChannel channel = FileChannel.open(file)) {
      for (int read = 0; read >= 0; read = channel.read(target.clear())) {
        if (copy) {
          target.flip().get(block, 0, read);
        }
        total += read;
      }
    }
    return total;
  }
}
