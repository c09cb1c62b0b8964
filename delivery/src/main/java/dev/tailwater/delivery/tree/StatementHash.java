package dev.tailwater.delivery.tree;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * The hash of what is said of a directory: 64 bits of a SHA-256, never 0.
 *
 * @param all of everything
 * @param shape of everything but its modification time, which each new name changes
 */
record StatementHash(long all, long shape) {
  static StatementHash of(PosixPath path, DirectoryStatement.Contents contents) {
    byte[] shape = shape(path, contents);
    ByteBuffer all = ByteBuffer.allocate(shape.length + Long.BYTES).put(shape);
    all.putLong(contents.attributes().modificationTimeNanos());
    return new StatementHash(hash(all.array()), hash(shape));
  }

  /** Returns the hash of what is said of the attributes of a file. */
  static long of(StreamId file, ExtendedAttributes attributes) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(file.text());
      write(attributes, out);
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot fail", e);
    }
    return hash(bytes.toByteArray());
  }

  private static void write(ExtendedAttributes attributes, DataOutputStream out)
      throws IOException {
    for (String name : attributes.names()) {
      out.writeUTF(name);
      byte[] value = attributes.value(name);
      out.writeInt(value.length);
      out.write(value);
    }
  }

  private static byte[] shape(PosixPath path, DirectoryStatement.Contents contents) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(path, out);
      out.writeInt(contents.attributes().permissions());
      write(contents.attributes().owner(), out);
      out.writeInt(contents.directories().size());
      for (PosixPath name : contents.directories()) {
        write(name, out);
      }
      out.writeInt(contents.links().size());
      for (DirectoryStatement.Link link : contents.links()) {
        write(link.name(), out);
        write(link.target(), out);
        write(link.attributes().owner(), out);
        out.writeLong(link.attributes().modificationTimeNanos());
      }
      out.writeInt(contents.furtherNames().size());
      for (DirectoryStatement.FurtherName further : contents.furtherNames()) {
        write(further.name(), out);
        write(further.file(), out);
        out.writeUTF(further.id().map(StreamId::text).orElse(""));
      }
      write(contents.extended(), out);
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot fail", e);
    }
    return bytes.toByteArray();
  }

  private static void write(PosixPath text, DataOutputStream out) throws IOException {
    byte[] bytes = text.toBytes();
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static void write(Optional<FileOwner> owner, DataOutputStream out) throws IOException {
    out.writeBoolean(owner.isPresent());
    if (owner.isPresent()) {
      out.writeLong(owner.get().userId());
      out.writeLong(owner.get().groupId());
      out.writeUTF(owner.get().user());
      out.writeUTF(owner.get().group());
    }
  }

  private static long hash(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      long hash = ByteBuffer.wrap(digest).getLong();
      return hash == 0 ? 1 : hash;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
