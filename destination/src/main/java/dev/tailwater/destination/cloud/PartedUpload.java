package dev.tailwater.destination.cloud;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * An upload that collects pieces into parts and sends them one after the other. An object shorter
 * than a part is sent by a single request. For one thread at a time; holds one part in memory.
 */
final class PartedUpload implements SegmentUpload {
  private static final int FIRST_BYTES = 256 << 10;

  private enum State {
    OPEN,
    /** Accepts no more bytes; the sent parts will be removed. */
    OVER,
    DONE
  }

  private final ObjectStore store;
  private final ThrottledCalls calls;
  private final String key;
  private final String name;
  private byte[] part = new byte[0];
  private int partBytes;
  private Optional<PartSender> sender = Optional.empty();
  private State state = State.OPEN;

  /**
   * @param name the key with the prefix of the destination
   */
  PartedUpload(ObjectStore store, ThrottledCalls calls, String key, String name) {
    this.store = store;
    this.calls = calls;
    this.key = key;
    this.name = name;
  }

  @Override
  public void write(ByteBuffer content) throws DestinationException {
    proceed();
    ByteBuffer rest = content.duplicate();
    while (rest.hasRemaining()) {
      // Sent only when more bytes follow: the last part may be shorter, but must not be empty.
      if (partBytes == store.partBytes()) {
        sendPart();
      }
      int count = Math.min(rest.remaining(), store.partBytes() - partBytes);
      reserve(partBytes + count);
      rest.get(part, partBytes, count);
      partBytes += count;
    }
    state = State.OPEN;
  }

  private void reserve(int lengthBytes) {
    if (lengthBytes > part.length) {
      int grown = Math.clamp(part.length * 2L, FIRST_BYTES, store.partBytes());
      part = Arrays.copyOf(part, Math.max(lengthBytes, grown));
    }
  }

  private void sendPart() throws DestinationException {
    if (sender.isEmpty()) {
      sender = Optional.of(calls.call("upload", key, () -> store.begin(key, name)));
    }
    PartSender to = sender.get();
    calls.run("upload", key, () -> to.send(gathered()));
    partBytes = 0;
  }

  private ByteBuffer gathered() {
    return ByteBuffer.wrap(part, 0, partBytes);
  }

  @Override
  public PutResult commit() throws DestinationException {
    proceed();
    Optional<PartSender> to = sender;
    PutResult result =
        calls.call(
            "upload",
            key,
            () -> to.isPresent() ? to.get().finish(gathered()) : store.create(name, gathered()));
    part = new byte[0];
    if (result == PutResult.CREATED || sender.isEmpty()) {
      state = State.DONE; // Otherwise close removes the sent parts.
    }
    return result;
  }

  /** Begins a step, which counts as failed until it is done. */
  private void proceed() {
    if (state != State.OPEN) {
      throw new IllegalStateException(key + " is committed or closed, or has failed before");
    }
    state = State.OVER;
  }

  @Override
  public void close() throws DestinationException {
    if (state == State.DONE) {
      return;
    }
    state = State.DONE;
    part = new byte[0];
    if (sender.isPresent()) {
      PartSender to = sender.get();
      calls.run("upload", key, to::abort);
    }
  }
}
