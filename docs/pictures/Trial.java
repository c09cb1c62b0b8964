import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A directory with an agent, and programs that write to it, for a recording. */
final class Trial implements AutoCloseable {
  final Path directory;
  final AtomicLong writtenBytes = new AtomicLong();
  private final List<Process> agents = new ArrayList<>();
  private final List<Thread> writers = new ArrayList<>();
  private final AtomicBoolean isOver = new AtomicBoolean();

  Trial() throws IOException {
    directory = Files.createTempDirectory("tailwater-picture");
    Files.createDirectories(directory.resolve("log"));
  }

  Process agent(String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of("tailwater").toAbsolutePath().toString(), "ship", "--agent", "web-1", "--state", "state"));
    command.addAll(List.of(options));
    command.addAll(List.of("log", "archive"));
    Process agent =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("messages.txt").toFile())
            .start();
    agents.add(agent);
    return agent;
  }

  String messages() throws IOException {
    return Files.readString(directory.resolve("messages.txt"));
  }

  /** Starts to append lines of a log to a file, which compress about as a log does. */
  void write(String name, long bytesPerSecond) {
    writers.add(
        Thread.ofPlatform()
            .start(
                () -> {
                  SplittableRandom random = new SplittableRandom(name.hashCode());
                  try (OutputStream file = Files.newOutputStream(directory.resolve("log").resolve(name))) {
                    long began = System.nanoTime();
                    long bytes = 0;
                    while (!isOver.get()) {
                      StringBuilder lines = new StringBuilder();
                      while (lines.length() < 1 << 16) {
                        lines.append("GET /item/").append(random.nextLong()).append(" 200 ").append(random.nextInt(9999)).append('\n');
                      }
                      byte[] block = lines.toString().getBytes(StandardCharsets.US_ASCII);
                      file.write(block);
                      bytes += block.length;
                      writtenBytes.addAndGet(block.length);
                      long aheadNanos = bytes * 1_000_000_000 / bytesPerSecond - (System.nanoTime() - began);
                      if (aheadNanos > 0) {
                        Thread.sleep(aheadNanos / 1_000_000);
                      }
                    }
                  } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }));
  }

  /** The agent's status as JSON; empty when it has ended or not yet begun. */
  String status() {
    try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.connect(UnixDomainSocketAddress.of(directory.resolve("state/agent.sock")));
      socket.write(ByteBuffer.wrap("status\n".getBytes(StandardCharsets.US_ASCII)));
      return new String(Channels.newInputStream(socket).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Ends the programs. */
  void stopWriting() {
    isOver.set(true);
    for (Thread writer : writers) {
      try {
        writer.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() throws IOException {
    stopWriting();
    for (Process agent : agents) {
      agent.descendants().forEach(ProcessHandle::destroyForcibly);
      agent.destroyForcibly().onExit().join();
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
