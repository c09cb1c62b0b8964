package dev.tailwater.destination;

/** What {@link Destination#putSegment} found; the object is durable in both cases. */
public enum PutResult {
  /** This call created the object. */
  CREATED,
  /**
   * The key had an object, which is untouched: from another writer, or from an earlier try of this
   * one whose answer was lost.
   */
  ALREADY_EXISTS
}
