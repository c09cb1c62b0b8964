package dev.tailwater.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.host.Surroundings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Progress is drawn where somebody looks, and only for what takes its time. */
class TerminalProgressTest {
  private static final long LONG_ENOUGH_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void drawsABarOnATerminalAfterAWhile() {
    try (TerminalProgress progress = progress(OptionalInt.of(80))) {
      progress.planned(1, 10L << 20);
      work(progress, () -> shown().contains("restore"), PATIENCE_NANOS);
    }
    assertTrue(shown().contains("restore"), shown());
    assertTrue(shown().contains("MiB"), shown());
    assertTrue(shown().lines().allMatch(line -> lastFrame(line).length() <= 80), shown());
  }

  @Test
  void drawsNothingForWhatIsSoonDone() {
    try (TerminalProgress progress = progress(OptionalInt.of(80))) {
      progress.planned(1, 100);
      progress.done(100);
    }
    assertEquals("", shown());
  }

  @Test
  void drawsNothingWhereThereIsNoTerminal() {
    try (TerminalProgress progress = progress(OptionalInt.empty())) {
      progress.planned(1, 10L << 20);
      work(progress, () -> false, LONG_ENOUGH_NANOS);
    }
    assertEquals("", shown());
  }

  private static void work(TerminalProgress progress, BooleanSupplier enough, long atMostNanos) {
    long end = System.nanoTime() + atMostNanos;
    while (!enough.getAsBoolean() && System.nanoTime() < end) {
      progress.done(1);
      Thread.onSpinWait();
    }
  }

  private static String lastFrame(String line) {
    return line.substring(line.lastIndexOf('\r') + 1);
  }

  private String shown() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private TerminalProgress progress(OptionalInt columns) {
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    return TerminalProgress.of(
        new Surroundings(stream, stream, Map.of(), Path.of("/"), columns), "restore");
  }
}
