package dev.tailwater.delivery.control;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The client of a running agent's control socket. It does not trust the agent to answer in time,
 * nor to end its answer.
 */
public final class ControlClient {
  /** Long enough for an agent on a very busy machine. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Many times the length of an agent's longest answer. */
  private static final int MAX_ANSWER_BYTES = 16 << 20;

  private final Path stateDirectory;
  private final Duration limit;

  public ControlClient(Path stateDirectory) {
    this(stateDirectory, LIMIT);
  }

  /**
   * Creates a client.
   *
   * @param limit how long an answer may take, except the one to a drain
   */
  public ControlClient(Path stateDirectory, Duration limit) {
    this.stateDirectory = stateDirectory;
    this.limit = limit;
  }

  /** Returns the agent's status as JSON; empty when no agent runs on the state directory. */
  public Optional<String> status() throws IOException {
    return inTime("status");
  }

  /** Returns one file's status as JSON; empty when no agent runs on the state directory. */
  public Optional<String> file(PosixPath absolutePath) throws IOException {
    return inTime("file " + Base64.getEncoder().encodeToString(absolutePath.toBytes()));
  }

  /** Drains the agent and returns the report as JSON; empty when no agent runs there. */
  public Optional<String> drain() throws IOException {
    // A drain may take as long as it takes, but only if somebody listens.
    if (status().isEmpty()) {
      return Optional.empty();
    }
    try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return ask("drain", socket);
    }
  }

  /** Asks on a thread of its own, since a call to an agent that is stopped does not return. */
  private Optional<String> inTime(String request) throws IOException {
    if (!Files.exists(ControlSocket.path(stateDirectory))) {
      return Optional.empty();
    }
    try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      FutureTask<Optional<String>> asking = new FutureTask<>(() -> ask(request, socket));
      Thread.ofPlatform().name("control-question").daemon(true).start(asking);
      return asking.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "the agent at "
              + ControlSocket.path(stateDirectory)
              + " has not answered '"
              + request.split(" ", 2)[0]
              + "' within "
              + limit.toSeconds()
              + " s. Hint: it may be stopped (kill -CONT PID goes on), out of file descriptors, or"
              + " on a machine that is very busy; its log may say more",
          e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the agent was asked");
    }
  }

  private Optional<String> ask(String request, SocketChannel socket) throws IOException {
    try {
      socket.connect(ControlSocket.address(stateDirectory));
    } catch (ConnectException e) {
      return Optional.empty(); // The socket of an agent that was killed.
    }
    ByteBuffer bytes = ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.US_ASCII));
    while (bytes.hasRemaining()) {
      socket.write(bytes);
    }
    byte[] answer = Channels.newInputStream(socket).readNBytes(MAX_ANSWER_BYTES + 1);
    if (answer.length == 0) {
      throw new IOException(
          "the agent at " + ControlSocket.path(stateDirectory) + " ended without an answer");
    }
    if (answer.length > MAX_ANSWER_BYTES) {
      throw new IOException(
          "the answer of the agent at "
              + ControlSocket.path(stateDirectory)
              + " is longer than "
              + (MAX_ANSWER_BYTES >> 20)
              + " MiB. Hint: is it a tailwater that listens there? ls -l names the owner");
    }
    return Optional.of(new String(answer, StandardCharsets.UTF_8).strip());
  }
}
