package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.sums.BlockSums;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A row of the {@link FileTable}: the checkpoints of a file's streams. Its value is a version byte,
 * then for each stream the length and bytes of its checkpoint, and the length and bytes of its
 * checksums of blocks. A checkpoint stays encoded until it is asked for, since who saves that of
 * one stream has no use for the others. For one thread.
 */
final class FileRow {
  private static final byte VERSION = 1;

  private final List<Stream> streams = new ArrayList<>(1);

  /** Views of what is encoded: their positions never move. */
  private record Stream(ByteBuffer checkpoint, ByteBuffer blockSums) {}

  /** Reads a value; what is in the checkpoints is checked when they are asked for. */
  static FileRow decode(byte[] value) throws IOException {
    ByteBuffer from = ByteBuffer.wrap(value);
    FileRow row = new FileRow();
    try {
      byte version = from.get();
      if (version != VERSION) {
        throw new IOException(
            "row of version " + version + "; this Tailwater reads version " + VERSION);
      }
      while (from.hasRemaining()) {
        row.streams.add(new Stream(next(from), next(from)));
      }
      return row;
    } catch (BufferUnderflowException e) {
      throw new IOException("row cannot be understood: it ends early", e);
    }
  }

  private static ByteBuffer next(ByteBuffer from) {
    int length = from.getInt();
    if (length < 0 || length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer part = from.slice(from.position(), length);
    from.position(from.position() + length);
    return part;
  }

  byte[] encode() {
    int length = 1;
    for (Stream stream : streams) {
      length += 2 * Integer.BYTES + stream.checkpoint.remaining() + stream.blockSums.remaining();
    }
    ByteBuffer value = ByteBuffer.allocate(length).put(VERSION);
    for (Stream stream : streams) {
      put(value, stream.checkpoint);
      put(value, stream.blockSums);
    }
    return value.array();
  }

  private static void put(ByteBuffer value, ByteBuffer part) {
    int length = part.remaining();
    value.putInt(length).put(value.position(), part, part.position(), length);
    value.position(value.position() + length);
  }

  boolean isEmpty() {
    return streams.isEmpty();
  }

  /** Returns whether one of the streams has ended. */
  boolean hasEnded() throws IOException {
    for (Stream stream : streams) {
      if (CheckpointCodec.hasEnded(stream.checkpoint)) {
        return true;
      }
    }
    return false;
  }

  List<Checkpoint> checkpoints() throws IOException {
    List<Checkpoint> checkpoints = new ArrayList<>(streams.size());
    for (Stream stream : streams) {
      checkpoints.add(CheckpointCodec.decode(stream.checkpoint));
    }
    return checkpoints;
  }

  /**
   * Returns the checksums of a stream's blocks that are part of the row; empty if there are none.
   */
  Optional<byte[]> blockSums(StreamId id) throws IOException {
    int at = indexOf(id);
    if (at < 0 || !streams.get(at).blockSums.hasRemaining()) {
      return Optional.empty();
    }
    ByteBuffer sums = streams.get(at).blockSums;
    byte[] copy = new byte[sums.remaining()];
    sums.get(sums.position(), copy);
    return Optional.of(copy);
  }

  /**
   * Adds the checkpoint of a stream, or replaces the one before.
   *
   * @param blockSums the checksums of a short file's blocks, in the form of {@link BlockSums}; none
   *     of a long one's, whose are elsewhere
   */
  void put(Checkpoint checkpoint, byte[] blockSums) throws IOException {
    Stream stream =
        new Stream(CheckpointCodec.encode(checkpoint), ByteBuffer.wrap(blockSums.clone()));
    int at = indexOf(checkpoint.origin().id());
    if (at < 0) {
      streams.add(stream);
    } else {
      streams.set(at, stream);
    }
  }

  /** Removes the checkpoint of a stream, and returns it; empty if there was none. */
  Optional<Checkpoint> remove(StreamId id) throws IOException {
    int at = indexOf(id);
    return at < 0
        ? Optional.empty()
        : Optional.of(CheckpointCodec.decode(streams.remove(at).checkpoint));
  }

  private int indexOf(StreamId id) throws IOException {
    for (int i = 0; i < streams.size(); i++) {
      if (CheckpointCodec.isOf(streams.get(i).checkpoint, id)) {
        return i;
      }
    }
    return -1;
  }
}
