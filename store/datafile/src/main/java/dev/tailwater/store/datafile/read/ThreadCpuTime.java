package dev.tailwater.store.datafile.read;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The time that a thread has run on a processor, as the kernel counts it: the first number of
 * {@code /proc/thread-self/schedstat} ("schedstats" in the kernel's documentation). Where there is
 * no such number, the elapsed time, which is never less. Used by that thread only.
 */
final class ThreadCpuTime {
  private static final Path SCHEDSTAT = Path.of("/proc/thread-self/schedstat");

  private final Path file;
  private boolean kernelTells = true;
  private long last = -1;

  ThreadCpuTime() {
    this(SCHEDSTAT);
  }

  /** From another file. */
  ThreadCpuTime(Path file) {
    this.file = file;
  }

  /** Returns the time; only differences have a meaning. */
  long nanos() {
    if (kernelTells) {
      try {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        last = Long.parseLong(text.substring(0, text.indexOf(' ')));
      } catch (IOException | IndexOutOfBoundsException | NumberFormatException noSuchNumber) {
        kernelTells = last >= 0; // never switches clocks after a first answer
      }
    }
    return kernelTells ? last : System.nanoTime();
  }
}
