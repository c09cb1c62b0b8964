package dev.tailwater.posix.testkit.fuse;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The client of a {@link FuseServer}: sends it a line and receives a line. */
final class FuseProcess {
  private static final int END_SECONDS = 10;

  private final Process process;
  private final Path log;
  private final Writer commands;
  private final BufferedReader answers;

  private FuseProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a server; its first answer reports whether it has mounted. */
  static FuseProcess start(FuseWorkspace workspace, FuseOptions options) throws IOException {
    Process process =
        new ProcessBuilder(command(workspace, options))
            .redirectError(Redirect.appendTo(workspace.log().toFile()))
            .start();
    return new FuseProcess(process, workspace.log());
  }

  private static List<String> command(FuseWorkspace workspace, FuseOptions options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                // File names are UTF-8, whatever the locale is.
                "-Dsun.jnu.encoding=UTF-8",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                FuseServer.class.getName(),
                workspace.directory().toString(),
                FuseLibrary.path().orElseThrow().toString()));
    command.addAll(options.toArguments());
    return command;
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  String ask(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
    return answer();
  }

  /** Reads the next line from the server. */
  String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the FUSE server has ended: " + Files.readString(log));
    }
    return line;
  }

  /** Kills the server with SIGKILL: its mount stays, and every request to it fails. */
  void kill() throws IOException {
    process.destroyForcibly();
    awaitEnd();
  }

  private void awaitEnd() throws IOException {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the FUSE server ended", e);
    }
  }

  /** Ends the server in an orderly way, or by force if that takes too long. */
  void end() throws IOException {
    try {
      if (process.isAlive()) {
        process.getOutputStream().close(); // the end of its input tells the server to end
      }
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
