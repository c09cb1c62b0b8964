package dev.tailwater.store.files;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Tags as bytes: for each, in ascending order, its length in 2 bytes and itself in UTF-8. */
public final class TagCodec {
  private static final byte[] NONE = {};

  private TagCodec() {}

  /**
   * Returns at most {@link dev.tailwater.store.WriteOptions#MAX_TAG_BYTES} bytes; none for no tags.
   */
  public static byte[] encode(Set<String> tags) {
    if (tags.isEmpty()) {
      return NONE;
    }
    TreeSet<String> sorted = new TreeSet<>(tags);
    int length = 0;
    for (String tag : sorted) {
      length += 2 + tag.getBytes(StandardCharsets.UTF_8).length;
    }
    ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    for (String tag : sorted) {
      byte[] bytes = tag.getBytes(StandardCharsets.UTF_8);
      out.putShort((short) bytes.length).put(bytes);
    }
    return out.array();
  }

  /**
   * Returns the tags; empty when these bytes are not tags. Never allocates more than their length.
   */
  public static Optional<Set<String>> decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    Set<String> tags = new TreeSet<>();
    while (in.hasRemaining()) {
      int length = in.remaining() < 2 ? 0 : Short.toUnsignedInt(in.getShort());
      if (length == 0 || length > in.remaining()) {
        return Optional.empty();
      }
      try {
        tags.add(
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .decode(in.slice(in.position(), length))
                .toString());
      } catch (CharacterCodingException notText) {
        return Optional.empty();
      }
      in.position(in.position() + length);
    }
    return Optional.of(tags);
  }
}
