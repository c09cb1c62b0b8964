package dev.tailwater.archive.pack;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.io.attribute.ExtendedAttributes;

/**
 * The extended attributes of a file. A later statement of the same file replaces an earlier one.
 *
 * @param file the id of its first stream, of the epoch 0: later ones are of the same file
 * @param attributes all that are kept; none if the file has lost what an earlier statement told
 */
public record AttributeStatement(StreamId file, ExtendedAttributes attributes)
    implements TreeStatement {
  public AttributeStatement {
    if (file.epoch() != 0) {
      throw new IllegalArgumentException(
          "attributes belong to a file, not to a later stream of it");
    }
  }
}
