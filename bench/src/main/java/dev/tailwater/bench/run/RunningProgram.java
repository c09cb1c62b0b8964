package dev.tailwater.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A started program, looked at from outside through proc(5). The launcher is a shell that becomes
 * the JVM by exec, so its process is the JVM's.
 */
public final class RunningProgram implements AutoCloseable {
  private static final int TICKS_PER_SECOND = 100; // sysconf(_SC_CLK_TCK), 100 on every Linux
  private static final long STOP_SECONDS = 60;

  private final Process process;
  private final Path errors;
  private final Path proc;

  private RunningProgram(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.proc = Path.of("/proc", Long.toString(process.pid()));
  }

  public static RunningProgram start(
      List<String> words, Map<String, String> environment, Path errors) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return new RunningProgram(process, errors);
  }

  /** The most memory that was resident so far (VmHWM), in KiB; empty once it has ended. */
  public OptionalLong peakResidentKibibytes() throws IOException {
    return statusKibibytes("VmHWM:");
  }

  /** Resident now (VmRSS), in KiB; empty once it has ended. */
  public OptionalLong residentKibibytes() throws IOException {
    return statusKibibytes("VmRSS:");
  }

  private OptionalLong statusKibibytes(String key) throws IOException {
    Optional<String> status = read("status");
    if (status.isEmpty()) {
      return OptionalLong.empty();
    }
    return status
        .get()
        .lines()
        .filter(line -> line.startsWith(key))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst();
  }

  /** Bytes given to write(2) and its like so far (wchar of proc(5)); 0 once it has ended. */
  public long writtenBytes() throws IOException {
    return read("io")
        .map(text -> text.replaceFirst("(?s).*wchar: (\\d+).*", "$1"))
        .map(Long::parseLong)
        .orElse(0L);
  }

  /** User and system time of all threads, ended ones too, to 10 ms; 0 once it has ended. */
  public double processorSeconds() throws IOException {
    return processorSecondsIn(proc.resolve("stat"));
  }

  private double processorSecondsIn(Path file) throws IOException {
    Optional<String> stat = read(file);
    if (stat.isEmpty()) {
      return 0;
    }
    // The program's name, in parentheses, may hold spaces; utime and stime are fields 14 and 15.
    String[] fields = stat.get().substring(stat.get().lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / (double) TICKS_PER_SECOND;
  }

  /** The same of its threads of this name that run now. */
  public double processorSeconds(String thread) throws IOException {
    List<Path> tasks;
    try (Stream<Path> all = Files.list(proc.resolve("task"))) {
      tasks = all.toList();
    }
    double seconds = 0;
    for (Path task : tasks) {
      if (read(task.resolve("comm")).filter(name -> name.strip().equals(thread)).isPresent()) {
        seconds += processorSecondsIn(task.resolve("stat"));
      }
    }
    return seconds;
  }

  private Optional<String> read(String name) throws IOException {
    return read(proc.resolve(name));
  }

  private Optional<String> read(Path file) throws IOException {
    try {
      return Optional.of(Files.readString(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (process.isAlive()) {
        throw e;
      }
      return Optional.empty(); // ESRCH, between its end and ours
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IOException("the program has ended: " + Files.readString(errors));
    }
  }

  /** Waits for the end; an exit code other than 0 is a failure. */
  public void awaitSuccess() throws IOException, InterruptedException {
    if (process.waitFor() != 0) {
      throw new IOException("exit code " + process.exitValue() + ": " + Files.readString(errors));
    }
  }

  /** Waits for the end, whatever the exit code is; returns it. */
  public int awaitEnd() throws InterruptedException {
    return process.waitFor();
  }

  /** Sends SIGTERM; the end is to be awaited. */
  public void terminate() {
    process.destroy();
  }

  /** SIGTERM, and SIGKILL when that does not help. */
  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("the program did not stop in " + STOP_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
