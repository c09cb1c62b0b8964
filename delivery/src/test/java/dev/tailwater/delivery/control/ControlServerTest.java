package dev.tailwater.delivery.control;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server of the control socket on a machine that is short of something. */
class ControlServerTest {
  private static final String ANSWER = "an answer, says a test";

  private final List<Thread> made = new CopyOnWriteArrayList<>();

  private static final class Answering implements ControlHandler {
    @Override
    public StatusReport status() {
      throw new IllegalArgumentException(ANSWER);
    }

    @Override
    public FileDelivery status(PosixPath path) throws IOException {
      throw new IOException(ANSWER);
    }

    @Override
    public DrainReport drain() {
      throw new IllegalStateException(ANSWER);
    }
  }

  /** Makes one thread; the system then has no more. */
  private Thread onlyOne(String name, Runnable work) {
    if (!made.isEmpty()) {
      throw new OutOfMemoryError("unable to create native thread, says a test");
    }
    Thread thread = ThreadMaker.platform().unstarted(name, work);
    made.add(thread);
    return thread;
  }

  @Test
  void answersWhereThereIsNoThreadForAClient(@TempDir Path directory) throws Exception {
    try (ControlServer server = ControlServer.start(directory, new Answering(), this::onlyOne)) {
      ControlClient client = new ControlClient(directory);
      for (int round = 0; round < 10; round++) {
        String status = client.status().orElseThrow();
        assertTrue(status.contains(ANSWER), status);
      }
      assertEquals(1, made.size());
      assertTrue(made.getFirst().isAlive(), server::toString);
    }
  }

  @Test
  void aFaultInTheAgentIsAnsweredAndNotCalledAMistakeOfTheClient(@TempDir Path directory)
      throws Exception {
    try (ControlServer _ = ControlServer.start(directory, new Answering())) {
      ControlClient client = new ControlClient(directory);
      for (String answer : List.of(client.status().orElseThrow(), client.drain().orElseThrow())) {
        assertTrue(answer.contains(ANSWER), answer);
        assertFalse(answer.contains("not understood"), answer);
      }
    }
  }

  @Test
  void whatIsNoRequestIsNotUnderstood(@TempDir Path directory) throws Exception {
    try (ControlServer _ = ControlServer.start(directory, new Answering())) {
      for (String request : List.of("stop", "file %")) {
        try (SocketChannel socket = SocketChannel.open(ControlSocket.address(directory))) {
          var _ = socket.write(ByteBuffer.wrap((request + "\n").getBytes(US_ASCII)));
          String answer = new String(Channels.newInputStream(socket).readAllBytes(), US_ASCII);
          assertTrue(answer.contains("not understood: "), answer);
        }
      }
    }
  }

  /** A virtual one would take descriptors of its own when it waits for a socket. */
  @Test
  void listensOnAPlatformThread(@TempDir Path directory) throws Exception {
    try (ControlServer server = ControlServer.start(directory, new Answering(), this::onlyOne)) {
      assertFalse(made.getFirst().isVirtual(), server::toString);
    }
  }

  /** Its state directory was replaced while it ran, and the agent that runs there now is asked. */
  @Test
  void leavesTheSocketOfAnotherAgentWhenItEnds(@TempDir Path directory) throws Exception {
    ControlServer first = ControlServer.start(directory, new Answering());
    Files.delete(directory.resolve("agent.sock"));
    try (ControlServer second = ControlServer.start(directory, new Answering())) {
      assertNotSame(first, second);
      first.close();
      assertTrue(new ControlClient(directory).status().isPresent());
    }
    assertFalse(Files.exists(directory.resolve("agent.sock")));
  }

  /** The next agent replaces the socket; that this one left it says nothing of its delivery. */
  @Test
  void endsWhereItsSocketCannotBeRemoved() throws Exception {
    try (MountedFileSystem state = TestFileSystems.tmpfs(1 << 20)) {
      ControlServer server = ControlServer.start(state.root(), new Answering());
      state.remountReadOnly();
      server.close();
      assertTrue(Files.exists(state.root().resolve("agent.sock")));
      state.remountWritable();
      try (ControlServer _ = ControlServer.start(state.root(), new Answering())) {
        assertTrue(new ControlClient(state.root()).status().isPresent());
      }
    }
  }
}
