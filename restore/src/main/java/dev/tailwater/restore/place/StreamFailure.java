package dev.tailwater.restore.place;

import dev.tailwater.destination.DestinationException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A stream cannot be restored, while the others go on; the message is for the user. */
final class StreamFailure extends Exception {
  private static final long serialVersionUID = 1L;

  final RestoreResult result;

  /** Whether the archive does not have the bytes. */
  final boolean isMissing;

  StreamFailure(RestoreResult result, String message, @Nullable Throwable cause) {
    this(result, message, cause, false);
  }

  private StreamFailure(
      RestoreResult result, String message, @Nullable Throwable cause, boolean isMissing) {
    super(message, cause);
    this.result = result;
    this.isMissing = isMissing;
  }

  /** No object opens that has bytes of the stream. */
  static StreamFailure missing(RestoreResult result, String message) {
    return new StreamFailure(result, message, null, true);
  }

  /** The archive could not be read. What is in the target already stays for the next run. */
  static StreamFailure unreadable(IOException why) {
    String first =
        why instanceof DestinationException refused && refused.permanent()
            ? refused.hint() + " Then "
            : "";
    return new StreamFailure(
        RestoreResult.FAILED,
        why.getMessage()
            + ". Hint: "
            + first
            + "run the restore again; it goes on where it stopped",
        why);
  }
}
