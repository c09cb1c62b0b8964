package dev.tailwater.delivery.route;

import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.RecordSignature;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.RefusedDestinationException;
import dev.tailwater.destination.retry.OwnObject;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

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
   * @param json what it says, without a signature
   * @param signer signs it; empty for no signature
   * @return when what is there now was signed; empty if it was not, or is what was there before
   * @throws DestinationException the object could not be put, and may not be there
   */
  public static OptionalLong put(
      Destination destination,
      Problems problems,
      String key,
      byte[] json,
      Optional<ObjectSigner> signer)
      throws DestinationException {
    byte[] content = signer.map(with -> RecordSignature.add(json, key, with)).orElse(json);
    try {
      destination.putObject(key, content);
      return signedAtMillis(content);
    } catch (RefusedDestinationException refusal) {
      if (!create(destination, key, content, refusal)) {
        problems.reportHarmless(
            SUBJECT, String.valueOf(refusal.getMessage()), Optional.of(HINT), false);
        return OptionalLong.empty();
      }
      return signedAtMillis(content);
    }
  }

  private static OptionalLong signedAtMillis(byte[] content) {
    return RecordSignature.find(content)
        .map(found -> OptionalLong.of(found.signature().atMillis()))
        .orElse(OptionalLong.empty());
  }

  private static boolean create(
      Destination destination, String key, byte[] content, RefusedDestinationException refusal)
      throws DestinationException {
    try {
      return OwnObject.put(destination, key, ByteBuffer.wrap(content));
    } catch (DestinationException e) {
      refusal.addSuppressed(e); // Nothing may be put at all, or not now.
      throw refusal;
    }
  }
}
