package dev.tailwater.delivery.checkpoint;

import dev.tailwater.delivery.stream.Checkpoint;
import java.nio.ByteBuffer;

/** A checkpoint as it is in the store. */
final class EncodedCheckpoint {
  private EncodedCheckpoint() {}

  static ByteBuffer of(Checkpoint checkpoint) {
    Fields fields = new Fields();
    CheckpointCodec.encode(checkpoint, fields);
    return ByteBuffer.wrap(fields.toBytes());
  }
}
