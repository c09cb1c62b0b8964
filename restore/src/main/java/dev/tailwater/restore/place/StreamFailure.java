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

  final RestoredStream.Obstacle obstacle;

  StreamFailure(RestoreResult result, String message, @Nullable Throwable cause) {
    this(result, message, cause, false, RestoredStream.Obstacle.NONE);
  }

  private StreamFailure(
      RestoreResult result,
      String message,
      @Nullable Throwable cause,
      boolean isMissing,
      RestoredStream.Obstacle obstacle) {
    super(message, cause);
    this.result = result;
    this.isMissing = isMissing;
    this.obstacle = obstacle;
  }

  /** No object opens that has bytes of the stream. */
  static StreamFailure missing(RestoreResult result, String message) {
    return new StreamFailure(result, message, null, true, RestoredStream.Obstacle.NONE);
  }

  /** Another file has the name, which is replaced only if that is asked for. */
  static StreamFailure nameIsTaken(String message) {
    return new StreamFailure(
        RestoreResult.REFUSED, message, null, false, RestoredStream.Obstacle.REPLACEABLE_FILE);
  }

  /** The run has stopped before it came to the stream. */
  static StreamFailure notTried(String why) {
    return new StreamFailure(
        RestoreResult.FAILED,
        RestoredStream.NOT_TRIED + why,
        null,
        false,
        RestoredStream.Obstacle.STOPPED_RUN);
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
