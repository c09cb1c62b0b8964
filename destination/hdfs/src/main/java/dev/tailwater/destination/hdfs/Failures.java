package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.RefusedDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.UnsuitableKeyException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;
import java.util.regex.Pattern;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * The translation of exceptions of Hadoop into failures of a destination: whether to retry, and
 * what the user can do.
 *
 * <p>A failure is permanent if it lasts until somebody acts; the agent still retries slowly, so it
 * notices a raised quota or a corrected permission. Every unknown error is transient.
 *
 * @param uri the destination, for messages
 */
record Failures(URI uri) {
  /** The limit of causes to look at, since some causes form a cycle. */
  private static final int MAX_CAUSES = 16;

  /** A hint that Hadoop appends to messages of the network. */
  private static final Pattern SEE_ALSO = Pattern.compile("; *For more details see: *http\\S*");

  private static final Pattern CLASS_NAME =
      Pattern.compile("\\b(?:[a-z]\\w*\\.)*([A-Z]\\w*) ?Exception\\b");

  DestinationException of(String operation, String key, Exception e) {
    if (isInterruption(e)) {
      return interrupted(operation, key, e);
    }
    String reason = reason(e);
    Trouble trouble = trouble(e);
    if (trouble == Trouble.PERMISSION) {
      return new RefusedDestinationException(uri, operation, key, reason, trouble.hint(), e);
    }
    if (trouble == Trouble.NAME) {
      return new UnsuitableKeyException(uri, operation, key, reason, trouble.hint(), e);
    }
    return trouble.permanent()
        ? new PermanentDestinationException(uri, operation, key, reason, trouble.hint(), e)
        : new TransientDestinationException(uri, operation, key, reason, trouble.hint(), e);
  }

  DestinationException interrupted(String operation, String key, Throwable cause) {
    Thread.currentThread().interrupt();
    return new TransientDestinationException(
        uri, operation, key, "the thread was interrupted", DestinationException.MAY_PASS, cause);
  }

  TransientDestinationException closed(String operation, String key) {
    return new TransientDestinationException(
        uri,
        operation,
        key,
        "the destination is closed",
        "The bytes stay at risk; the next start delivers them.");
  }

  PermanentDestinationException noArchive(String operation, String root) {
    return new PermanentDestinationException(
        uri,
        operation,
        "",
        "there is no directory " + root,
        "Check the path; an agent creates it with the first thing that it delivers.");
  }

  /** Returns whether a Kerberos ticket was refused or is missing. */
  static boolean isAboutKerberos(Exception e) {
    return trouble(e) == Trouble.TICKET;
  }

  /** Returns whether a path leads through a file, so that nothing can exist there. */
  static boolean isThroughAFile(IOException e) {
    return trouble(e) == Trouble.NOT_A_DIRECTORY;
  }

  /** Returns the kind of the outermost cause that is known. */
  private static Trouble trouble(Exception e) {
    Trouble found = Trouble.UNKNOWN;
    @Nullable Throwable cause = e;
    for (int i = 0; cause != null && found == Trouble.UNKNOWN && i < MAX_CAUSES; i++) {
      found = Trouble.of(className(cause), String.valueOf(cause.getMessage()));
      cause = cause.getCause();
    }
    return found;
  }

  private static String className(Throwable e) {
    return e instanceof RemoteException remote ? remote.getClassName() : e.getClass().getName();
  }

  /** Returns whether the thread was interrupted; its flag may be gone. */
  static boolean isInterruption(Exception e) {
    return e instanceof ClosedByInterruptException
        || (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException))
        || e.getCause() instanceof InterruptedException;
  }

  /**
   * Returns the messages without the stack traces that a NameNode sends, and without text that
   * looks like one.
   */
  private static String reason(Exception e) {
    StringBuilder text = new StringBuilder();
    @Nullable Throwable cause = e;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      String line = String.valueOf(cause.getMessage()).lines().findFirst().orElse("").strip();
      if (text.isEmpty()) {
        String name = className(cause);
        text.append(name.substring(name.lastIndexOf('.') + 1)).append(": ").append(line);
      } else if (!line.equals("null") && text.indexOf(line) < 0) {
        text.append(": ").append(line);
      }
      cause = cause.getCause();
    }
    return CLASS_NAME.matcher(SEE_ALSO.matcher(text).replaceAll("")).replaceAll("$1");
  }
}
