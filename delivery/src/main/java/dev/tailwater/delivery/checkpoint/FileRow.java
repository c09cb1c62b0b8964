package dev.tailwater.delivery.checkpoint;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The value of a row of the {@link FileTable}: a version byte, then for each stream of the file the
 * length and bytes of its checkpoint, and the length and bytes of its checksums of blocks.
 */
final class FileRow {
  private static final byte VERSION = 1;

  private FileRow() {}

  /** A stream of the file. */
  static final class Stream {
    private final Checkpoint checkpoint;
    private final byte[] blockSums;

    /**
     * Creates the part of a row.
     *
     * @param blockSums the checksums of a short file's blocks, in the form of {@link BlockSums};
     *     none of a long one's, whose are elsewhere
     */
    Stream(Checkpoint checkpoint, byte[] blockSums) {
      this.checkpoint = checkpoint;
      this.blockSums = blockSums.clone();
    }

    Checkpoint checkpoint() {
      return checkpoint;
    }

    /** Returns whether checksums of blocks are part of the row. */
    boolean hasBlockSums() {
      return blockSums.length > 0;
    }

    byte[] blockSums() {
      return blockSums.clone();
    }
  }

  static byte[] encode(Collection<Stream> streams) {
    List<byte[]> parts = new ArrayList<>();
    int length = 1;
    for (Stream stream : streams) {
      byte[] checkpoint = CheckpointCodec.encode(stream.checkpoint());
      parts.add(checkpoint);
      parts.add(stream.blockSums);
      length += 2 * Integer.BYTES + checkpoint.length + stream.blockSums.length;
    }
    ByteBuffer row = ByteBuffer.allocate(length).put(VERSION);
    parts.forEach(part -> row.putInt(part.length).put(part));
    return row.array();
  }

  static List<Stream> decode(byte[] value) throws IOException {
    ByteBuffer row = ByteBuffer.wrap(value);
    try {
      byte version = row.get();
      if (version != VERSION) {
        throw new IOException(
            "row of version " + version + "; this Tailwater reads version " + VERSION);
      }
      List<Stream> streams = new ArrayList<>(1);
      while (row.hasRemaining()) {
        Checkpoint checkpoint = CheckpointCodec.decode(next(row));
        streams.add(new Stream(checkpoint, next(row)));
      }
      return streams;
    } catch (BufferUnderflowException e) {
      throw new IOException("row cannot be understood: it ends early", e);
    }
  }

  private static byte[] next(ByteBuffer row) {
    int length = row.getInt();
    if (length < 0 || length > row.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] part = new byte[length];
    row.get(part);
    return part;
  }
}
