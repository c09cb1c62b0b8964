package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.delivery.control.ControlClient;
import dev.tailwater.posix.testkit.MountedFileSystem;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A machine that is going to die: a disk of its own with logs and the agent's state, a process that
 * writes and an agent that ships elsewhere. What it says in life is kept outside it.
 */
final class MortalMachine implements AutoCloseable {
  static final String AGENT = "mortal-1";
  static final long MAX_AGE_MILLIS = 200;

  private final MountedFileSystem disk;
  private final Path archive;
  private final Path messages;
  private final List<Process> processes = new ArrayList<>();
  private final List<Said> said = new ArrayList<>();
  private final Path written;

  /** What the agent said, between two times. */
  record Said(long askedNanos, long answeredNanos, JsonText status) {
    long deliveredBytes() {
      return status.number("deliveredBytes");
    }
  }

  /**
   * @param elsewhere where the archive and the messages lie, which is not on the disk
   */
  MortalMachine(MountedFileSystem disk, Path elsewhere) throws IOException {
    this.disk = disk;
    this.archive = elsewhere.resolve("archive");
    this.messages = elsewhere.resolve("messages.txt");
    this.written = elsewhere.resolve("written");
    Files.createDirectory(logs());
  }

  private Path logs() {
    return disk.root().resolve("logs");
  }

  private Path state() {
    return disk.root().resolve("state");
  }

  Path archive() {
    return archive;
  }

  /** Everything that its processes have said. */
  String messages() {
    return Packaged.text(messages);
  }

  /** What was written; to be asked when the machine is dead. */
  WriteJournal journal() throws IOException {
    return WriteJournal.read(written);
  }

  List<Said> said() {
    return List.copyOf(said);
  }

  void start(long seed) throws Exception {
    start(
        new ProcessBuilder(
                Packaged.launcher(),
                "ship",
                "--agent",
                AGENT,
                "--state",
                state().toString(),
                "--max-age",
                MAX_AGE_MILLIS + "ms",
                "--segment-size",
                "1MiB",
                "--merge-to",
                "4MiB",
                logs().toString(),
                archive.toString())
            .redirectOutput(Redirect.appendTo(messages.toFile())));
    Site.await("the agent answers", () -> ask().isPresent());
    start(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                Path.of(
                        DrillWriter.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString(),
                DrillWriter.class.getName(),
                logs().toString(),
                Long.toString(seed))
            .redirectOutput(written.toFile()));
    Site.await(
        "something is delivered", () -> ask().filter(s -> s.deliveredBytes() > 0).isPresent());
  }

  private Process start(ProcessBuilder builder) throws IOException {
    Process process =
        builder
            .directory(new File("/"))
            .redirectError(Redirect.appendTo(messages.toFile()))
            .start();
    processes.add(process);
    return process;
  }

  /** Lives on for a while; the agent is asked all the time how it fares. */
  void liveFor(long millis) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() - endNanos < 0) {
      ask();
      Thread.sleep(15);
    }
    assertTrue(processes.stream().allMatch(Process::isAlive), this::messages);
  }

  private Optional<Said> ask() throws IOException {
    long askedNanos = System.nanoTime();
    Optional<String> answer = new ControlClient(state()).status();
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    Said now = new Said(askedNanos, System.nanoTime(), JsonText.parse(answer.get()));
    said.add(now);
    return Optional.of(now);
  }

  /** SIGKILL to all its processes at once. */
  void kill() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
  }

  /** The disk loses what was not written to it, and fails from now on. */
  void cutPower() throws IOException {
    disk.cutPower();
  }

  /** The disk goes; nobody reads it any more. */
  @Override
  public void close() throws IOException {
    kill();
    disk.close();
  }
}
