package dev.tailwater.posix.testkit;

import java.io.IOException;
import java.util.List;

/** Sends signals to other processes. */
public final class Signals {
  private Signals() {}

  /**
   * Sends a signal with the {@code kill} of the shell, because slim images do not have procps, to
   * which the program of that name belongs.
   *
   * @param name the name without SIG, such as {@code STOP}
   */
  public static void send(String name, ProcessHandle process) throws IOException {
    Command.run(List.of("sh", "-c", "kill -" + name + " " + process.pid())).requireSuccess();
  }
}
