package dev.tailwater.delivery.route;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.RefusedDestinationException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The writer of small objects that are replaced when there is news, also where a client may only
 * create objects. Thread-safe.
 */
public final class SmallObjects {
  private static final String SUBJECT = "records that may not be replaced";
  private static final String HINT =
      "every byte is delivered; renames and ends of streams that already have a record are not seen"
          + " in the archive. packs: on writes them into packs, which are never replaced";

  private SmallObjects() {}

  /**
   * Creates or replaces an object. If that is forbidden, creates it; if it exists then, it stays as
   * it is, which is reported once and counted.
   *
   * @throws DestinationException the object could not be put, and may not be there
   */
  public static void put(Destination destination, Problems problems, String key, byte[] content)
      throws DestinationException {
    try {
      destination.putObject(key, content);
    } catch (RefusedDestinationException refusal) {
      if (create(destination, key, content, refusal) == PutResult.ALREADY_EXISTS) {
        problems.reportHarmless(
            SUBJECT, String.valueOf(refusal.getMessage()), Optional.of(HINT), false);
      }
    }
  }

  private static PutResult create(
      Destination destination, String key, byte[] content, RefusedDestinationException refusal)
      throws DestinationException {
    try {
      return destination.putSegment(key, ByteBuffer.wrap(content));
    } catch (DestinationException e) {
      refusal.addSuppressed(e); // Nothing may be put at all, or not now.
      throw refusal;
    }
  }
}
