package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.StreamOrigin;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Encodes a checkpoint as a store value: a version byte, then the fields in order. Fields that were
 * added later are at the end, where older versions do not look, and which they leave out.
 */
final class CheckpointCodec {
  private static final byte VERSION = 1;

  /** Something must still be said of the stream. */
  private static final int INCOMPLETE = 1;

  /** The archive has another modification time of the file. */
  private static final int TIME_UNTOLD = 2;

  /** The size of the file follows, since it is beyond the durable bytes. */
  private static final int SIZE_FOLLOWS = 4;

  /** The ranges follow for which the archive has bytes of others. */
  private static final int TAKEN_FOLLOWS = 8;

  /** It is uncompared only since bytes may have been stored without a sign. */
  private static final int COMPARED_BEFORE = 16;

  /** The identity, the id, the paths at birth, now and told, and the prefix. */
  private static final int BYTE_FIELDS_FIRST = 6;

  /** The durable bytes and their marker, what is described, and what was seen last and when. */
  private static final int FROM_POSITION_TO_ENDING =
      Long.BYTES + 2 * Integer.BYTES + 1 + Integer.BYTES + 2 * Long.BYTES;

  private CheckpointCodec() {}

  /** Adds the value to what it is a part of. */
  static void encode(Checkpoint checkpoint, Fields fields) {
    fields.put(VERSION);
    fields.put(checkpoint.identity().toBytes());
    fields.put(checkpoint.origin().id().text().getBytes(StandardCharsets.US_ASCII));
    fields.put(checkpoint.origin().birthPath());
    fields.put(checkpoint.origin().prefix().getBytes(StandardCharsets.UTF_8));
    fields.put(checkpoint.seen().path());
    fields.put(checkpoint.recorded().path());
    fields.put(checkpoint.durable().bytes());
    fields.put(checkpoint.durable().marker().lengthBytes());
    fields.put(checkpoint.durable().marker().crc32c());
    fields.put(checkpoint.recorded().described());
    fields.put(checkpoint.seen().permissions());
    fields.put(checkpoint.seen().modificationTimeNanos());
    fields.put(checkpoint.seen().atMillis());
    fields.put(checkpoint.ending().isPresent());
    if (checkpoint.ending().isPresent()) {
      Ending ending = checkpoint.ending().get();
      fields.put(ending.reason().name().getBytes(StandardCharsets.US_ASCII));
      fields.put(ending.readToBytes());
      fields.put(ending.knownSizeBytes());
      fields.put(ending.atMillis());
    }
    fields.put(checkpoint.changedInPlace());
    fields.put(checkpoint.rewriting().uncompared());
    fields.put(checkpoint.rewriting().lastRevision());
    fields.put(checkpoint.rewriting().suspected());
    fields.put(checkpoint.seen().owner().isPresent());
    if (checkpoint.seen().owner().isPresent()) {
      FileOwner owner = checkpoint.seen().owner().get();
      fields.put(owner.userId());
      fields.put(owner.groupId());
      fields.put(owner.user().getBytes(StandardCharsets.UTF_8));
      fields.put(owner.group().getBytes(StandardCharsets.UTF_8));
    }
    OptionalLong changeTimeNanos = checkpoint.seen().changeTimeNanos();
    fields.put(changeTimeNanos.isPresent());
    changeTimeNanos.ifPresent(fields::put);
    Checkpoint.Undelivered undelivered = checkpoint.undelivered();
    fields.put(flags(checkpoint));
    if (undelivered.sizeBytes() > 0) {
      fields.put(undelivered.sizeBytes());
    }
    if (!undelivered.taken().isEmpty()) {
      fields.put(undelivered.taken().size());
      for (ByteRange range : undelivered.taken()) {
        fields.put(range.startBytes());
        fields.put(range.endBytes());
      }
    }
  }

  private static byte flags(Checkpoint checkpoint) {
    Checkpoint.Recorded recorded = checkpoint.recorded();
    Checkpoint.Undelivered undelivered = checkpoint.undelivered();
    return (byte)
        ((recorded.complete() ? 0 : INCOMPLETE)
            | (recorded.timeTold() ? 0 : TIME_UNTOLD)
            | (undelivered.sizeBytes() > 0 ? SIZE_FOLLOWS : 0)
            | (undelivered.taken().isEmpty() ? 0 : TAKEN_FOLLOWS)
            | (checkpoint.rewriting().onceMore() ? COMPARED_BEFORE : 0));
  }

  /** Returns whether a value is the checkpoint of a stream. */
  static boolean isOf(ByteBuffer value, StreamId id) throws IOException {
    return read(
        value,
        from -> {
          skipBytes(from);
          int length = Short.toUnsignedInt(from.getShort());
          String text = id.text();
          boolean same = length == text.length();
          for (int i = 0; same && i < length; i++) {
            same = from.get() == text.charAt(i);
          }
          return same;
        });
  }

  /** Returns whether a value is the checkpoint of a stream that has ended. */
  static boolean hasEnded(ByteBuffer value) throws IOException {
    return read(
        value,
        from -> {
          for (int i = 0; i < BYTE_FIELDS_FIRST; i++) {
            skipBytes(from);
          }
          skip(from, FROM_POSITION_TO_ENDING);
          return readBoolean(from);
        });
  }

  static Checkpoint decode(ByteBuffer value) throws IOException {
    return read(value, CheckpointCodec::fromFields);
  }

  private interface Reading<T> {
    T from(ByteBuffer fields);
  }

  private static <T> T read(ByteBuffer value, Reading<T> reading) throws IOException {
    try {
      ByteBuffer from = value.duplicate();
      byte version = from.get();
      if (version != VERSION) {
        throw new IOException(
            "checkpoint of version " + version + "; this Tailwater reads version " + VERSION);
      }
      return reading.from(from);
    } catch (BufferUnderflowException e) {
      throw new IOException("checkpoint cannot be understood: it ends early", e);
    } catch (IllegalArgumentException e) {
      throw new IOException("checkpoint cannot be understood: " + e.getMessage(), e);
    }
  }

  private static Checkpoint fromFields(ByteBuffer from) {
    FileIdentity identity = FileIdentity.fromBytes(readBytes(from));
    StreamOrigin origin =
        new StreamOrigin(
            new StreamId(new String(readBytes(from), StandardCharsets.US_ASCII)),
            PosixPath.of(readBytes(from)),
            new String(readBytes(from), StandardCharsets.UTF_8));
    PosixPath path = PosixPath.of(readBytes(from));
    PosixPath recordedPath = PosixPath.of(readBytes(from));
    Checkpoint.DurablePrefix durable =
        new Checkpoint.DurablePrefix(from.getLong(), new Marker(from.getInt(), from.getInt()));
    boolean described = readBoolean(from);
    int permissions = from.getInt();
    long modificationTimeNanos = from.getLong();
    long seenAtMillis = from.getLong();
    Optional<Ending> ending = readBoolean(from) ? Optional.of(readEnding(from)) : Optional.empty();
    boolean changedInPlace = from.hasRemaining() && readBoolean(from);
    boolean uncompared = from.hasRemaining() && readBoolean(from);
    long lastRevision = from.hasRemaining() ? from.getLong() : 0;
    boolean suspected = from.hasRemaining() && readBoolean(from);
    Optional<FileOwner> owner =
        from.hasRemaining() && readBoolean(from) ? Optional.of(readOwner(from)) : Optional.empty();
    OptionalLong changeTimeNanos =
        from.hasRemaining() && readBoolean(from)
            ? OptionalLong.of(from.getLong())
            : OptionalLong.empty();
    int flags = from.hasRemaining() ? from.get() : 0;
    return new Checkpoint(
        identity,
        origin,
        new Checkpoint.LastSeen(
            path, permissions, modificationTimeNanos, seenAtMillis, owner, changeTimeNanos),
        new Checkpoint.Recorded(
            recordedPath, described, (flags & INCOMPLETE) == 0, (flags & TIME_UNTOLD) == 0),
        durable,
        ending,
        changedInPlace,
        new Checkpoint.Rewriting(
            uncompared, (flags & COMPARED_BEFORE) != 0, lastRevision, suspected, Map.of()),
        readUndelivered(from, flags));
  }

  private static Checkpoint.Undelivered readUndelivered(ByteBuffer from, int flags) {
    long sizeBytes = (flags & SIZE_FOLLOWS) == 0 ? 0 : from.getLong();
    int count = (flags & TAKEN_FOLLOWS) == 0 ? 0 : from.getInt();
    List<ByteRange> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(new ByteRange(from.getLong(), from.getLong()));
    }
    return new Checkpoint.Undelivered(sizeBytes, taken);
  }

  private static Ending readEnding(ByteBuffer from) {
    return new Ending(
        StreamRecord.EndReason.valueOf(new String(readBytes(from), StandardCharsets.US_ASCII)),
        from.getLong(),
        from.getLong(),
        from.getLong());
  }

  private static FileOwner readOwner(ByteBuffer from) {
    return new FileOwner(
        from.getLong(),
        from.getLong(),
        new String(readBytes(from), StandardCharsets.UTF_8),
        new String(readBytes(from), StandardCharsets.UTF_8));
  }

  private static boolean readBoolean(ByteBuffer from) {
    return from.get() != 0;
  }

  private static byte[] readBytes(ByteBuffer from) {
    byte[] bytes = new byte[Short.toUnsignedInt(from.getShort())];
    from.get(bytes);
    return bytes;
  }

  private static void skipBytes(ByteBuffer from) {
    skip(from, Short.toUnsignedInt(from.getShort()));
  }

  private static void skip(ByteBuffer from, int lengthBytes) {
    if (lengthBytes > from.remaining()) {
      throw new BufferUnderflowException();
    }
    from.position(from.position() + lengthBytes);
  }
}
