package dev.tailwater.cli.rehearse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.child.ChildProcesses;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.destination.Plugins;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who is told to end first. The programs write into a pipe that nobody reads, so they cannot end
 * before the test wants it; the agent is one that answers as long as it was not told to end.
 */
class SceneOrderTest {
  private static final String LAUNCHER = "tailwater.launcher";
  private static final long PATIENCE_SECONDS = 60;

  /** More than fits into a pipe, however short the time was. */
  private static final long ENDLESS_BYTES_PER_SECOND = 1L << 50;

  private final String launcher = System.getProperty(LAUNCHER, "");

  @TempDir private Path directory;

  @AfterEach
  void restoreLauncher() {
    if (launcher.isEmpty()) {
      System.clearProperty(LAUNCHER);
    } else {
      System.setProperty(LAUNCHER, launcher);
    }
  }

  @Test
  void sigtermComesWhenTheProgramsHaveEnded() throws Exception {
    endsTheProgramsFirst(new TermScene());
  }

  @Test
  void sigtermAfterAnOutageComesWhenTheProgramsHaveEnded() throws Exception {
    endsTheProgramsFirst(new OutageScene());
  }

  private void endsTheProgramsFirst(Scene scene) throws Exception {
    RehearsalPaths places = new RehearsalPaths(directory.toRealPath());
    Path state = Files.createDirectories(places.state(scene.name()));
    try (ServerSocketChannel control = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      answerAsAnAgent(control.bind(UnixDomainSocketAddress.of(state.resolve("agent.sock"))));
      endsTheProgramsFirst(scene, places);
    }
  }

  private void endsTheProgramsFirst(Scene scene, RehearsalPaths places) throws Exception {
    Path files = Files.createDirectories(places.files(scene.name()));
    Path ask = pipe(directory.resolve("ask"));
    Path answer = directory.resolve("answer");
    System.setProperty(LAUNCHER, script("exec cat '" + ask + "' > '" + answer + "'"));
    // Opened for both, a pipe waits for nobody.
    try (RandomAccessFile asking = new RandomAccessFile(ask.toFile(), "rw");
        RandomAccessFile log = new RandomAccessFile(pipe(files.resolve("000.log")).toFile(), "rw");
        InputStream written = new FileInputStream(log.getFD());
        ChildProcesses processes = new ChildProcesses(directory.resolve("output"), "");
        SceneRun stage = SceneRun.open(props(places, processes), scene.name())) {
      await("the programs write", () -> written.available() > 0);
      FutureTask<SceneResult> play = new FutureTask<>(() -> scene.run(stage));
      Thread player = Thread.ofPlatform().daemon(true).start(play);
      await("they are told to end", () -> isIn(player, "stop") || play.isDone());
      asking.writeBytes("are you there?\n");
      await("an answer", () -> !stage.agent().isAlive() || isAnswered(answer));
      assertTrue(stage.agent().isAlive(), "the agent was told to end before the programs");
      byte[] some = new byte[1 << 16];
      await(
          "the end",
          () -> {
            while (written.available() > 0) {
              assertTrue(written.read(some) > 0);
            }
            return play.isDone();
          });
      assertTrue(play.get().holds(), play.get()::remark);
      assertEquals(0, play.get().lostBytes());
    }
  }

  private SceneRun.Shared props(RehearsalPaths places, ChildProcesses processes) {
    Duration limit = Duration.ofSeconds(PATIENCE_SECONDS);
    return new SceneRun.Shared(
        new RehearsalPlan(
            ENDLESS_BYTES_PER_SECOND, 1, Duration.ZERO, limit, limit, Duration.ofMillis(1)),
        places,
        processes,
        new RehearsalCommands() {
          @Override
          public List<String> agent(String scene) {
            return List.of(scene);
          }

          @Override
          public List<String> required(String scene) {
            return List.of();
          }
        },
        new DeliveryCheck(
            new DestinationOpener(
                new DestinationContext(
                    LinuxFileCalls.create(), InstantSource.system(), new SecureRandom()),
                Plugins.none())),
        new LoadWriter.Text(1));
  }

  /** What an agent says who has delivered whatever there was. */
  private static void answerAsAnAgent(ServerSocketChannel server) {
    Thread.ofPlatform()
        .daemon(true)
        .start(
            () -> {
              try {
                while (true) {
                  try (SocketChannel client = server.accept()) {
                    String status = "{\"deliveredBytes\":" + (1L << 50) + ",\"atRiskBytes\":0}\n";
                    assertTrue(client.read(ByteBuffer.allocate(100)) > 0);
                    client.write(ByteBuffer.wrap(status.getBytes(UTF_8)));
                  }
                }
              } catch (ClosedChannelException e) {
                return; // The test is over.
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private static Path pipe(Path path) throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
    return path;
  }

  private String script(String command) throws IOException {
    Path script = Files.writeString(directory.resolve("launcher"), "#!/bin/sh\n" + command + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script.toString();
  }

  private static boolean isAnswered(Path answer) throws IOException {
    return Files.exists(answer) && Files.size(answer) > 0;
  }

  private static boolean isIn(Thread thread, String method) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().equals(LoadWriter.class.getName())
                    && frame.getMethodName().equals(method));
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.call()) {
      assertTrue(System.nanoTime() < giveUp, "waited in vain for: " + what);
      Thread.sleep(5);
    }
  }
}
