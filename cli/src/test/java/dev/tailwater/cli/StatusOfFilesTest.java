package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code status FILE...} makes of the answers of a running agent. */
class StatusOfFilesTest {
  @TempDir Path directory;
  private ServerSocketChannel agent;
  private Thread answering;

  @BeforeEach
  void startAnAgentThatKnowsOneFile() throws IOException {
    Path state =
        Files.createDirectory(
            directory.resolve("state"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    agent.bind(UnixDomainSocketAddress.of(state.resolve("agent.sock")));
    answering = Thread.ofPlatform().start(this::answerAll);
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    agent.close();
    answering.join();
  }

  private void answerAll() {
    while (true) {
      try (SocketChannel client = agent.accept()) {
        BufferedReader in =
            new BufferedReader(Channels.newReader(client, StandardCharsets.US_ASCII));
        String path = path(in.readLine());
        String answer =
            path.endsWith("/good")
                ? "{\"path\":\"/good\",\"stream\":\"s\",\"sizeBytes\":3,\"durableBytes\":3,"
                    + "\"delivered\":true,\"destinations\":[]}"
                : "{\"error\":\"" + path + " is not a file\"}";
        ByteBuffer bytes = ByteBuffer.wrap((answer + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          client.write(bytes);
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static String path(String request) {
    byte[] path = Base64.getDecoder().decode(request.substring("file ".length()));
    return new String(path, StandardCharsets.UTF_8);
  }

  private Trial status(int exitCode, String... args) {
    String[] all = new String[args.length + 3];
    System.arraycopy(new String[] {"status", "--state", "state"}, 0, all, 0, 3);
    System.arraycopy(args, 0, all, 3, args.length);
    Trial trial = Trial.run(directory, all);
    assertEquals(exitCode, trial.exitCode(), trial.err());
    return trial;
  }

  @Test
  void oneNameThatIsNoFileDoesNotKeepTheOthersFromTheirAnswers() throws IOException {
    Trial some = status(3, "good", "bad", "good");
    List<String> lines = some.out().lines().toList();
    assertEquals(4, lines.size(), some.out());
    assertTrue(lines.get(1).startsWith("yes"), some.out());
    assertTrue(lines.get(2).contains("/bad is not a file"), some.out());
    assertTrue(lines.get(3).startsWith("yes"), some.out());

    List<JsonText> files =
        JsonText.parse(status(3, "--json", "good", "bad").out()).objects("files");
    assertTrue(files.getFirst().isTrue("delivered"));
    assertTrue(files.getLast().text("error").endsWith("is not a file"));
    assertEquals(directory + "/bad", files.getLast().text("path"));
  }

  @Test
  void whereNothingCanBeSaidOfAnyTheAgentHasAnsweredAllTheSame() {
    Trial none = status(3, "bad", "worse");
    assertTrue(none.err().startsWith("Hint: the agent opens a FILE itself"), none.err());
    status(0, "good");
  }
}
