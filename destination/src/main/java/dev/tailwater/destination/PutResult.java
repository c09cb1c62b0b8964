package dev.tailwater.destination;

/** The result of {@link Destination#putSegment}; the object is durable in both cases. */
public enum PutResult {
  /** This call created the object. */
  CREATED,
  /**
   * The key already had an object, which is unchanged: from another writer, or from an earlier
   * attempt of this writer whose answer was lost.
   */
  ALREADY_EXISTS
}
