package dev.tailwater.io.write;

import static dev.tailwater.posix.NameCalls.AT_FDCWD;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/** A file whose kernel writes are recorded, and may be made to fail. */
final class WriteHarness implements AutoCloseable {
  /** One kernel write as it was asked for. */
  record KernelWrite(String method, int fd, long offsetBytes, long lengthBytes, long address) {
    long endBytes() {
      return offsetBytes + lengthBytes;
    }
  }

  final List<KernelWrite> writes = new ArrayList<>();
  final Path path;
  final FaultyFileCalls faulty;
  final Descriptor file;

  WriteHarness(Path path, FaultPlan plan, OpenFlag... more) throws IOException {
    this.path = path;
    this.faulty = FaultyFileCalls.wrap(LinuxFileCalls.create(), call -> record(call, plan));
    EnumSet<OpenFlag> flags = EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE);
    flags.addAll(Arrays.asList(more));
    this.file = Descriptor.open(faulty.calls(), AT_FDCWD, PosixPath.of(path), flags, 0600);
  }

  static WriteHarness of(Path path, OpenFlag... more) throws IOException {
    return new WriteHarness(path, FaultPlan.none(), more);
  }

  private Fault record(Call call, FaultPlan plan) {
    if (call.is("pwrite") || call.is("pwritev2")) {
      MemorySegment source = (MemorySegment) call.arguments().get(1);
      writes.add(
          new KernelWrite(
              call.method(),
              (int) call.arguments().get(0),
              (long) call.arguments().get(2),
              source.byteSize(),
              source.address()));
    }
    return plan.decide(call);
  }

  BlockWriter writer(long offsetBytes, BlockWriterOptions options) throws IOException {
    return BlockWriter.over(file, offsetBytes, options);
  }

  long calls(String method) {
    return faulty.log().stream().filter(method::equals).count();
  }

  static byte[] bytes(long seed, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    if (faulty.crashed()) {
      faulty.kill();
    } else {
      file.close();
    }
  }
}
