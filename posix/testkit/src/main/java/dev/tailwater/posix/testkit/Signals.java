package dev.tailwater.posix.testkit;

import java.io.IOException;
import java.util.List;

/** Sends signals to other processes. */
public final class Signals {
  private Signals() {}

  /**
   * Sends one by the shell's own {@code kill}: the program of that name belongs to procps, which
   * slim images lack.
   *
   * @param name without SIG, such as {@code STOP}
   */
  public static void send(String name, ProcessHandle process) throws IOException {
    Command.run(List.of("sh", "-c", "kill -" + name + " " + process.pid())).requireSuccess();
  }
}
