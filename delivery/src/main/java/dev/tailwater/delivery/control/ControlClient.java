package dev.tailwater.delivery.control;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

/** Asks a running agent. */
public final class ControlClient {
  private final Path stateDirectory;

  public ControlClient(Path stateDirectory) {
    this.stateDirectory = stateDirectory;
  }

  /** The agent's status as JSON; empty when no agent runs on the state directory. */
  public Optional<String> status() throws IOException {
    return ask("status");
  }

  /** One file's state as JSON; empty when no agent runs on the state directory. */
  public Optional<String> file(PosixPath absolutePath) throws IOException {
    return ask("file " + Base64.getEncoder().encodeToString(absolutePath.toBytes()));
  }

  /** Drains and waits for it; the report as JSON; empty when no agent runs there. */
  public Optional<String> drain() throws IOException {
    return ask("drain");
  }

  private Optional<String> ask(String request) throws IOException {
    if (!Files.exists(ControlSocket.path(stateDirectory))) {
      return Optional.empty();
    }
    try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      try {
        socket.connect(ControlSocket.address(stateDirectory));
      } catch (ConnectException e) {
        return Optional.empty(); // The socket of an agent that was killed.
      }
      ByteBuffer bytes = ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.US_ASCII));
      while (bytes.hasRemaining()) {
        socket.write(bytes);
      }
      byte[] answer = Channels.newInputStream(socket).readAllBytes();
      if (answer.length == 0) {
        throw new IOException(
            "the agent at " + ControlSocket.path(stateDirectory) + " ended without an answer");
      }
      return Optional.of(new String(answer, StandardCharsets.UTF_8).strip());
    }
  }
}
