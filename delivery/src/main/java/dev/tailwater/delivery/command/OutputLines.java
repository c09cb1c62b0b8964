package dev.tailwater.delivery.command;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Splits a command's output into lines, and keeps it from flooding a log: long lines are truncated,
 * and after {@link #MAX_LINES} the rest is left out. For one thread.
 */
final class OutputLines {
  static final int MAX_LINES = 100;
  static final int MAX_LINE_BYTES = 1_000;

  private final Consumer<String> lines;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private int told;
  private boolean cut;

  OutputLines(Consumer<String> lines) {
    this.lines = lines;
  }

  void add(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        tell();
      } else if (line.size() < MAX_LINE_BYTES) {
        line.write(bytes[i]);
      } else {
        cut = true;
      }
    }
  }

  /** Passes on the last line, which may lack its terminator. */
  void end() {
    if (line.size() > 0) {
      tell();
    }
  }

  private void tell() {
    String text = line.toString(StandardCharsets.UTF_8) + (cut ? "..." : "");
    line.reset();
    cut = false;
    told++;
    if (told <= MAX_LINES) {
      lines.accept(text);
    } else if (told == MAX_LINES + 1) {
      lines.accept("... the rest of the output is left out");
    }
  }
}
