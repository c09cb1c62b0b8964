package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes a checkpoint as a store value: a version byte, then the fields in order. Fields that were
 * added later are at the end, where older versions do not look, and which they leave out.
 */
final class CheckpointCodec {
  private static final int VERSION = 1;

  private CheckpointCodec() {}

  static byte[] encode(Checkpoint checkpoint) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      writeBytes(out, checkpoint.identity().toBytes());
      writeBytes(out, checkpoint.origin().id().text().getBytes(StandardCharsets.US_ASCII));
      writeBytes(out, checkpoint.origin().birthPath().toBytes());
      writeBytes(out, checkpoint.origin().prefix().getBytes(StandardCharsets.UTF_8));
      writeBytes(out, checkpoint.seen().path().toBytes());
      writeBytes(out, checkpoint.recorded().path().toBytes());
      out.writeLong(checkpoint.durable().bytes());
      out.writeInt(checkpoint.durable().marker().lengthBytes());
      out.writeInt(checkpoint.durable().marker().crc32c());
      out.writeBoolean(checkpoint.recorded().described());
      out.writeInt(checkpoint.seen().permissions());
      out.writeLong(checkpoint.seen().modificationTimeNanos());
      out.writeLong(checkpoint.seen().atMillis());
      out.writeBoolean(checkpoint.ending().isPresent());
      if (checkpoint.ending().isPresent()) {
        Ending ending = checkpoint.ending().get();
        writeBytes(out, ending.reason().name().getBytes(StandardCharsets.US_ASCII));
        out.writeLong(ending.readToBytes());
        out.writeLong(ending.knownSizeBytes());
        out.writeLong(ending.atMillis());
      }
      out.writeBoolean(checkpoint.changedInPlace());
      out.writeBoolean(checkpoint.rewriting().uncompared());
      out.writeLong(checkpoint.rewriting().lastRevision());
      out.writeBoolean(checkpoint.rewriting().suspected());
      out.writeBoolean(checkpoint.seen().owner().isPresent());
      if (checkpoint.seen().owner().isPresent()) {
        write(out, checkpoint.seen().owner().get());
      }
    } catch (IOException e) {
      throw new AssertionError("writing to memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  static Checkpoint decode(byte[] value) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new IOException(
            "checkpoint of version " + version + "; this Tailwater reads version " + VERSION);
      }
      FileIdentity identity = FileIdentity.fromBytes(readBytes(in));
      StreamOrigin origin =
          new StreamOrigin(
              new StreamId(new String(readBytes(in), StandardCharsets.US_ASCII)),
              PosixPath.of(readBytes(in)),
              new String(readBytes(in), StandardCharsets.UTF_8));
      PosixPath path = PosixPath.of(readBytes(in));
      PosixPath recordedPath = PosixPath.of(readBytes(in));
      Checkpoint.DurablePrefix durable =
          new Checkpoint.DurablePrefix(in.readLong(), new Marker(in.readInt(), in.readInt()));
      boolean described = in.readBoolean();
      int permissions = in.readInt();
      long modificationTimeNanos = in.readLong();
      long seenAtMillis = in.readLong();
      Optional<Ending> ending = in.readBoolean() ? Optional.of(readEnding(in)) : Optional.empty();
      boolean changedInPlace = in.available() > 0 && in.readBoolean();
      Checkpoint.Rewriting rewriting =
          in.available() > 0
              ? new Checkpoint.Rewriting(
                  in.readBoolean(), in.readLong(), in.available() > 0 && in.readBoolean(), Map.of())
              : Checkpoint.Rewriting.NONE;
      Optional<FileOwner> owner =
          in.available() > 0 && in.readBoolean() ? Optional.of(readOwner(in)) : Optional.empty();
      return new Checkpoint(
          identity,
          origin,
          new Checkpoint.LastSeen(path, permissions, modificationTimeNanos, seenAtMillis, owner),
          new Checkpoint.Recorded(recordedPath, described),
          durable,
          ending,
          changedInPlace,
          rewriting);
    } catch (IllegalArgumentException e) {
      throw new IOException("checkpoint cannot be understood: " + e.getMessage(), e);
    }
  }

  private static Ending readEnding(DataInputStream in) throws IOException {
    return new Ending(
        StreamRecord.EndReason.valueOf(new String(readBytes(in), StandardCharsets.US_ASCII)),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }

  private static void write(DataOutputStream out, FileOwner owner) throws IOException {
    out.writeLong(owner.userId());
    out.writeLong(owner.groupId());
    writeBytes(out, owner.user().getBytes(StandardCharsets.UTF_8));
    writeBytes(out, owner.group().getBytes(StandardCharsets.UTF_8));
  }

  private static FileOwner readOwner(DataInputStream in) throws IOException {
    return new FileOwner(
        in.readLong(),
        in.readLong(),
        new String(readBytes(in), StandardCharsets.UTF_8),
        new String(readBytes(in), StandardCharsets.UTF_8));
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readUnsignedShort()];
    in.readFully(bytes);
    return bytes;
  }
}
