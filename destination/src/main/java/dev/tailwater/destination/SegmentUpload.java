package dev.tailwater.destination;

import java.nio.ByteBuffer;

/**
 * One object that is created piece by piece: {@link Destination#beginSegment}. For one thread at a
 * time.
 *
 * <p>After any failure it is over: {@link #close} it and begin anew. Writing on, or committing, is
 * an {@link IllegalStateException} then, so that no object lacks a piece in its middle.
 */
public interface SegmentUpload extends AutoCloseable {
  /**
   * Takes the next bytes of the object. May send them, or keep some until there are more.
   *
   * @param content the bytes from position to limit, zero or more; neither its bytes nor its
   *     position and limit are changed, and it is not used after the return
   * @throws IllegalStateException after a failure, a commit or a close
   */
  void write(ByteBuffer content) throws DestinationException;

  /**
   * Creates the object from all that was written, zero bytes or more: create-only, atomic and
   * durable as {@link Destination#putSegment}. At most once. When it fails, it is unknown whether
   * the object was created.
   *
   * @return whether this call created the object, or it was there
   * @throws IllegalStateException after a failure, a commit or a close
   */
  PutResult commit() throws DestinationException;

  /**
   * Takes away what was not committed; after a commit there is nothing to do, and nothing after
   * another close. What cannot be taken away now is invisible, and whoever opens the destination to
   * write much later removes it.
   */
  @Override
  void close() throws DestinationException;
}
