package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.control.ControlClient;
import dev.tailwater.delivery.control.ControlHandler;
import dev.tailwater.delivery.control.ControlServer;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlTest {
  private TestAgent.Place place;

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  private static ControlHandler handlerOf(Agent agent) {
    return new ControlHandler() {
      @Override
      public StatusReport status() {
        return agent.status();
      }

      @Override
      public FileDelivery status(PosixPath path) throws IOException {
        return agent.status(path);
      }

      @Override
      public DrainReport drain() throws InterruptedException {
        return agent.drainAndGoOn(Duration.ofSeconds(20));
      }
    };
  }

  @Test
  void answersOverASocketThatOnlyItsUserMayUse() throws Exception {
    Path log = Files.writeString(place.log("app.log"), "text\n");
    try (TestAgent agent = TestAgent.start(place);
        AutoCloseable server = ControlServer.start(place.state(), handlerOf(agent.agent))) {
      Objects.requireNonNull(server);
      ControlClient client = new ControlClient(place.state());
      assertTrue(client.drain().orElseThrow().contains("\"complete\":true"));
      assertTrue(client.status().orElseThrow().contains("\"atRiskBytes\":0"));
      assertTrue(client.status().orElseThrow().contains("\"inotifyDirectories\":1"));
      String file = client.file(PosixPath.of(log)).orElseThrow();
      assertTrue(file.contains("\"delivered\":true"), file);
      Files.writeString(log, "text\nand more\n");
      agent.awaitDelivered(log);
      String missing = client.file(PosixPath.of("/does/not/exist")).orElseThrow();
      assertTrue(missing.contains("/does/not/exist: there is no such file"), missing);
      String directory = client.file(PosixPath.of(place.logs())).orElseThrow();
      assertTrue(directory.contains(" is not a regular file"), directory);
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(
              Files.getPosixFilePermissions(place.state().resolve("agent.sock"))));
    }
    assertEquals(Optional.empty(), new ControlClient(place.state()).status());
  }

  @Test
  void asksNoLongerThanItsLimitWhenNobodyAnswers() throws Exception {
    Files.createDirectories(place.state());
    try (ServerSocketChannel mute = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      // Like a process that is stopped: the kernel takes the connection and the request.
      mute.bind(UnixDomainSocketAddress.of(place.state().resolve("agent.sock")), 5);
      ControlClient client = new ControlClient(place.state(), Duration.ofMillis(50));
      for (int i = 0; i < 20; i++) { // The queue of connections becomes full, too.
        IOException e = assertThrows(IOException.class, client::status);
        assertTrue(String.valueOf(e.getMessage()).contains("has not answered 'status'"), "" + e);
      }
      assertThrows(IOException.class, client::drain);
      assertThrows(IOException.class, () -> client.file(PosixPath.of("/x")));
    }
  }

  @Test
  void readsNoEndlessAnswer() throws Exception {
    Files.createDirectories(place.state());
    try (ServerSocketChannel hostile = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      hostile.bind(UnixDomainSocketAddress.of(place.state().resolve("agent.sock")));
      Thread.ofPlatform().daemon(true).start(() -> talkForEver(hostile));
      ControlClient client = new ControlClient(place.state(), Duration.ofMinutes(5));
      IOException e = assertThrows(IOException.class, client::status);
      assertTrue(String.valueOf(e.getMessage()).contains("longer than 16 MiB"), "" + e);
    }
  }

  private static void talkForEver(ServerSocketChannel hostile) {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    try (SocketChannel client = hostile.accept()) {
      while (client.write(bytes.clear()) > 0) {
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      return; // The client has gone away, as it should.
    }
  }

  @Test
  void takesThePlaceOfASocketAndOfATryThatAKilledAgentLeft() throws Exception {
    Files.createDirectories(place.state().resolve(".bind"));
    Files.createFile(place.state().resolve(".bind/s"));
    Files.createFile(place.state().resolve("agent.sock"));
    try (TestAgent agent = TestAgent.start(place);
        AutoCloseable server = ControlServer.start(place.state(), handlerOf(agent.agent))) {
      Objects.requireNonNull(server);
      assertTrue(new ControlClient(place.state()).status().isPresent());
      assertFalse(Files.exists(place.state().resolve(".bind")));
    }
  }

  @Test
  void tellsFromCheckpointsWhatIsAtRiskWhileNoAgentRuns() throws Exception {
    Path log = Files.writeString(place.log("app.log"), "text\n");
    try (TestAgent agent = TestAgent.start(place)) {
      agent.awaitDelivered(log);
    }
    OfflineStatus before =
        OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state())).orElseThrow();
    assertTrue(before.file(PosixPath.of(log)).isDelivered());
    Files.writeString(log, "text\nmore\n");
    OfflineStatus after =
        OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state())).orElseThrow();
    assertFalse(after.file(PosixPath.of(log)).isDelivered());
    assertEquals(5, after.report().progress().atRiskBytes());
    assertTrue(after.report().running().isEmpty());
    assertEquals(TestAgent.NAME, after.report().agent());
  }
}
