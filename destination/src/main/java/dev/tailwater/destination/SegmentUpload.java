package dev.tailwater.destination;

import java.nio.ByteBuffer;

/**
 * An object that is created piece by piece; see {@link Destination#beginSegment}. For one thread at
 * a time.
 *
 * <p>An upload cannot continue after a failure: {@link #close} it and begin a new one. Until then
 * {@link #write} and {@link #commit} throw {@link IllegalStateException}, so that no object lacks a
 * piece in its middle.
 */
public interface SegmentUpload extends AutoCloseable {
  /**
   * Adds the next bytes of the object. May send them at once or buffer some of them.
   *
   * @param content the bytes from position to limit, zero or more; neither its bytes nor its
   *     position and limit are changed, and it is not used after the return
   * @throws IllegalStateException after a failure, a commit or a close
   */
  void write(ByteBuffer content) throws DestinationException;

  /**
   * Creates the object from everything that was written, which may be nothing: create-only, atomic
   * and durable like {@link Destination#putSegment}. Called at most once. If it fails, it is
   * unknown whether the object was created.
   *
   * @return whether this call created the object or the key already had one
   * @throws IllegalStateException after a failure, a commit or a close
   */
  PutResult commit() throws DestinationException;

  /**
   * Removes what was not committed. Does nothing after a commit or another close. What cannot be
   * removed now stays invisible, and a process that opens the destination for writing later removes
   * it.
   */
  @Override
  void close() throws DestinationException;
}
