package dev.tailwater.destination.s3;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * An upload that collects pieces into parts of {@value #PART_BYTES} bytes and sends them one after
 * the other. An object shorter than a part is sent by a single PUT. For one thread at a time; holds
 * one part in memory.
 */
final class S3Upload implements SegmentUpload {
  /**
   * The length of all parts but the last. S3 accepts no shorter part before the last, and at most
   * 10 000 parts, so an upload can have up to 48 GiB.
   */
  static final int PART_BYTES = 5 << 20;

  private static final int FIRST_BYTES = 256 << 10;

  /** The parts of a destination that all its uploads share. */
  record Tools(
      UploadRequests requests, CreateOnly createOnly, ThrottledCalls calls, Removal removal) {}

  /** Removes what uploads have sent and nobody will complete. */
  interface Removal {
    /** Called before a multipart upload is begun. */
    void removeLeftovers(String key) throws DestinationException;

    /** Aborts an upload and removes its parts. */
    void abort(String key, String full, String uploadId) throws DestinationException;
  }

  private enum State {
    OPEN,
    /** Accepts no more bytes; the sent parts will be removed. */
    OVER,
    DONE
  }

  private final Tools tools;
  private final String key;
  private final String full;
  private final List<CompletedPart> parts = new ArrayList<>();
  private byte[] part = new byte[0];
  private int partBytes;
  private long sentBytes;
  private Optional<String> uploadId = Optional.empty();
  private State state = State.OPEN;

  /**
   * @param full the key in the bucket
   */
  S3Upload(Tools tools, String key, String full) {
    this.tools = tools;
    this.key = key;
    this.full = full;
  }

  @Override
  public void write(ByteBuffer content) throws DestinationException {
    proceed();
    ByteBuffer rest = content.duplicate();
    while (rest.hasRemaining()) {
      // Sent only when more bytes follow: the last part may be shorter, but must not be empty.
      if (partBytes == PART_BYTES) {
        sendPart();
      }
      int count = Math.min(rest.remaining(), PART_BYTES - partBytes);
      reserve(partBytes + count);
      rest.get(part, partBytes, count);
      partBytes += count;
    }
    state = State.OPEN;
  }

  private void reserve(int lengthBytes) {
    if (lengthBytes > part.length) {
      int grown = Math.clamp(part.length * 2L, FIRST_BYTES, PART_BYTES);
      part = Arrays.copyOf(part, Math.max(lengthBytes, grown));
    }
  }

  private void sendPart() throws DestinationException {
    if (uploadId.isEmpty()) {
      tools.removal().removeLeftovers(key);
      uploadId =
          Optional.of(tools.calls().call("upload", key, () -> tools.requests().create(full)));
    }
    String id = uploadId.get();
    BufferBody body = gathered();
    int number = parts.size() + 1;
    parts.add(
        tools.calls().call("upload", key, () -> tools.requests().part(full, id, number, body)));
    sentBytes += partBytes;
    partBytes = 0;
  }

  private BufferBody gathered() {
    return BufferBody.of(ByteBuffer.wrap(part, 0, partBytes));
  }

  @Override
  public PutResult commit() throws DestinationException {
    proceed();
    PutResult result;
    if (uploadId.isEmpty()) {
      result = tools.calls().call("upload", key, () -> tools.createOnly().put(full, gathered()));
    } else {
      sendPart();
      result = complete(uploadId.get());
    }
    part = new byte[0];
    if (result == PutResult.CREATED || uploadId.isEmpty()) {
      state = State.DONE; // Otherwise close removes the sent parts.
    }
    return result;
  }

  private PutResult complete(String id) throws DestinationException {
    return tools
        .calls()
        .call(
            "upload",
            key,
            () ->
                tools
                    .createOnly()
                    .complete(
                        full,
                        onlyIfAbsent ->
                            tools.requests().complete(full, id, parts, sentBytes, onlyIfAbsent)));
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
    if (uploadId.isPresent()) {
      tools.removal().abort(key, full, uploadId.get());
    }
  }
}
