package dev.tailwater.cli.child;

import dev.tailwater.cli.host.OwnCommand;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import java.io.IOException;
import java.io.InputStream;

/**
 * Ends a process of {@link ChildProcesses} with the one that started it. An agent whose rehearsal
 * was killed would deliver to its folder for ever.
 */
public final class ParentWatch {
  private ParentWatch() {}

  /** Begins to watch, if this process was started so. */
  public static void begin(Surroundings surroundings) {
    if (OwnCommand.endsWithInput()) {
      Thread.ofPlatform()
          .name("parent")
          .daemon(true)
          .start(
              () -> {
                awaitEnd(surroundings.in());
                Runtime.getRuntime().halt(ExitCode.FAILED.number());
              });
    }
  }

  private static void awaitEnd(InputStream input) {
    try {
      input.skipNBytes(Long.MAX_VALUE);
    } catch (IOException e) {
      return; // The end of the input, or nobody can tell: there is no parent for this process.
    }
  }
}
