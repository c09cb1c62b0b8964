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

  /** What the row has of a stream. */
  private sealed interface Stream {
    boolean isOf(StreamId id) throws IOException;

    boolean hasEnded() throws IOException;

    Checkpoint checkpoint() throws IOException;

    /** Returns the checksums of its blocks; none if they are elsewhere. */
    byte[] blockSums();

    void writeTo(Fields row);
  }

  /** As it was read: views, whose positions never move. */
  private record Encoded(ByteBuffer encoded, ByteBuffer encodedSums) implements Stream {
    @Override
    public boolean isOf(StreamId id) throws IOException {
      return CheckpointCodec.isOf(encoded, id);
    }

    @Override
    public boolean hasEnded() throws IOException {
      return CheckpointCodec.hasEnded(encoded);
    }

    @Override
    public Checkpoint checkpoint() throws IOException {
      return CheckpointCodec.decode(encoded);
    }

    @Override
    public byte[] blockSums() {
      byte[] copy = new byte[encodedSums.remaining()];
      encodedSums.get(encodedSums.position(), copy);
      return copy;
    }

    @Override
    public void writeTo(Fields row) {
      row.putPart(encoded);
      row.putPart(encodedSums);
    }
  }

  /** As it is to be written. */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record Put(Checkpoint checkpoint, byte[] blockSums) implements Stream {
    @Override
    public boolean isOf(StreamId id) {
      return checkpoint.origin().id().equals(id);
    }

    @Override
    public boolean hasEnded() {
      return checkpoint.ending().isPresent();
    }

    @Override
    public void writeTo(Fields row) {
      int from = row.beginPart();
      CheckpointCodec.encode(checkpoint, row);
      row.endPart(from);
      row.putPart(ByteBuffer.wrap(blockSums));
    }
  }

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
        row.streams.add(new Encoded(next(from), next(from)));
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

  /**
   * Returns the value.
   *
   * @param scratch its content is replaced
   */
  byte[] encode(Fields scratch) {
    scratch.clear();
    scratch.put(VERSION);
    for (Stream stream : streams) {
      stream.writeTo(scratch);
    }
    return scratch.toBytes();
  }

  boolean isEmpty() {
    return streams.isEmpty();
  }

  /** Returns whether one of the streams has ended. */
  boolean hasEnded() throws IOException {
    for (Stream stream : streams) {
      if (stream.hasEnded()) {
        return true;
      }
    }
    return false;
  }

  List<Checkpoint> checkpoints() throws IOException {
    List<Checkpoint> checkpoints = new ArrayList<>(streams.size());
    for (Stream stream : streams) {
      checkpoints.add(stream.checkpoint());
    }
    return checkpoints;
  }

  /**
   * Returns the checksums of a stream's blocks that are part of the row; empty if there are none.
   */
  Optional<byte[]> blockSums(StreamId id) throws IOException {
    int at = indexOf(id);
    return at < 0
        ? Optional.empty()
        : Optional.of(streams.get(at).blockSums()).filter(sums -> sums.length > 0);
  }

  /**
   * Adds the checkpoint of a stream, or replaces the one before.
   *
   * @param blockSums the checksums of a short file's blocks, in the form of {@link BlockSums}; none
   *     of a long one's, whose are elsewhere
   */
  void put(Checkpoint checkpoint, byte[] blockSums) throws IOException {
    Stream stream = new Put(checkpoint, blockSums);
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
    return at < 0 ? Optional.empty() : Optional.of(streams.remove(at).checkpoint());
  }

  private int indexOf(StreamId id) throws IOException {
    for (int i = 0; i < streams.size(); i++) {
      if (streams.get(i).isOf(id)) {
        return i;
      }
    }
    return -1;
  }
}
