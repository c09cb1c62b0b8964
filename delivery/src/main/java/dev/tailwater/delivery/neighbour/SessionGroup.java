package dev.tailwater.delivery.neighbour;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The scheduling group of this process's session. The kernel may divide the processor among
 * sessions before it looks at nice levels (autogroup), so that those rank only threads of one
 * session. The session then has a nice level of its own, which can be raised and lowered without a
 * privilege.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/sched.7.html">sched(7), The autogroup
 *     feature</a>
 */
final class SessionGroup {
  /** Needed since the kernel allows all unprivileged processes together ten changes a second. */
  private static final int TRIES = 5;

  private static final int RETRY_MILLIS = 100;

  private final Path file;

  private SessionGroup(Path file) {
    this.file = file;
  }

  /** Whether sessions matter here. */
  enum Kind {
    /** Nice levels rank all threads. */
    NONE,
    /** This process has started its session, and only its children are in it. */
    OWN,
    /** Somebody else has started it, and would be lowered too. */
    SHARED
  }

  static Kind kind(Path proc) {
    try {
      String enabled = Files.readString(proc.resolve("sys/kernel/sched_autogroup_enabled")).strip();
      if (!enabled.equals("1") || !Files.exists(proc.resolve("self/autogroup"))) {
        return Kind.NONE;
      }
      // Field 1 is the process; the name, in parentheses, may hold anything; 6 is the session.
      String stat = Files.readString(proc.resolve("self/stat"));
      String process = stat.substring(0, stat.indexOf(' '));
      String session = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3];
      return process.equals(session) ? Kind.OWN : Kind.SHARED;
    } catch (IOException e) {
      return Kind.NONE; // A kernel without it.
    }
  }

  static SessionGroup ofOwn(Path proc) {
    return new SessionGroup(proc.resolve("self/autogroup"));
  }

  /** Sets the nice level of the session, 0 to 19. */
  void setNice(int nice) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        write(Integer.toString(nice));
        return;
      } catch (IOException e) {
        if (attempt == TRIES) {
          throw e;
        }
      }
      try {
        TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** A channel takes the kernel's EAGAIN for a write of no bytes, and fails unchecked. */
  private void write(String text) throws IOException {
    try (OutputStream out = new FileOutputStream(file.toFile())) {
      out.write(text.getBytes(StandardCharsets.US_ASCII));
    }
  }
}
