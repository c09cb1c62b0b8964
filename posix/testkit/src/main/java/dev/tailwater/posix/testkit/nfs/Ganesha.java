package dev.tailwater.posix.testkit.nfs;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of nfs-ganesha that exports {@code files} of a directory on the loopback interface. */
final class Ganesha {
  static final String PROGRAM = "ganesha.nfsd";
  static final String PSEUDO_PATH = "/export";
  private static final long START_SECONDS = 60;

  private final Path directory;
  private final int port;
  private final Process process;

  private Ganesha(Path directory, int port, Process process) {
    this.directory = directory;
    this.port = port;
    this.process = process;
  }

  /** Starts a server and waits until it listens. */
  static Ganesha start(Path directory) throws IOException {
    Files.createDirectories(directory.resolve("recovery"));
    return start(directory, freePort());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Ganesha start(Path directory, int port) throws IOException {
    Path configuration = directory.resolve("ganesha.conf");
    Files.writeString(configuration, configuration(directory, port));
    Path log = directory.resolve("ganesha.log");
    Process process =
        new ProcessBuilder(
                List.of(
                    PROGRAM,
                    "-F",
                    "-f",
                    configuration.toString(),
                    "-L",
                    log.toString(),
                    "-p",
                    directory.resolve("ganesha.pid").toString()))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(directory.resolve("ganesha.out").toFile()))
            .start();
    Ganesha started = new Ganesha(directory, port, process);
    started.awaitPort(log);
    return started;
  }

  private void awaitPort(Path log) throws IOException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() - deadlineNanos > 0) {
        kill();
        throw new IOException(
            PROGRAM + " does not start: " + (Files.exists(log) ? Files.readString(log) : ""));
      }
    }
  }

  private boolean answers() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while " + PROGRAM + " started", interrupt);
      }
      return false;
    }
  }

  /** Returns a configuration with NFS 4 only, which needs neither rpcbind nor a second port. */
  private static String configuration(Path directory, int port) {
    return """
    NFS_CORE_PARAM {
      Protocols = 4;
      NFS_Port = %d;
      Bind_addr = 127.0.0.1;
      Enable_UDP = false;
      Enable_NLM = false;
      Enable_RQUOTA = false;
    }
    NFSv4 {
      Graceless = true;
      RecoveryRoot = "%s";
    }
    EXPORT {
      Export_Id = 1;
      Path = "%s";
      Pseudo = "%s";
      Protocols = 4;
      Transports = TCP;
      Access_Type = RW;
      Squash = No_Root_Squash;
      SecType = sys;
      FSAL { Name = VFS; }
    }
    """
        .formatted(port, directory.resolve("recovery"), directory.resolve("files"), PSEUDO_PATH);
  }

  int port() {
    return port;
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  void kill() throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + PROGRAM + " ended", e);
    }
  }

  /** Starts another server on the same port, after this one has ended. */
  Ganesha restarted() throws IOException {
    return start(directory, port);
  }
}
