package dev.tailwater.store.log.format;

import dev.tailwater.store.DamagedStoreException;
import java.util.List;

/** The payload of a whole frame. */
public final class FramePayload {
  private FramePayload() {}

  /** Returns the frame's operations; none for the other kinds of frames. */
  public static List<Operation> decode(
      FrameReader frames, FrameHeader header, byte[] payload, long offsetBytes)
      throws DamagedStoreException {
    if (header.kind() != FrameKind.OPERATIONS) {
      if (payload.length != 0) {
        throw frames.damaged(offsetBytes, "a frame of kind " + header.kind() + " has a payload");
      }
      return List.of();
    }
    try {
      return OperationCodec.decode(payload, header.operations());
    } catch (OperationCodec.MalformedPayloadException malformed) {
      throw frames.damaged(offsetBytes, malformed.getMessage() + ", though the checksum is right");
    }
  }
}
