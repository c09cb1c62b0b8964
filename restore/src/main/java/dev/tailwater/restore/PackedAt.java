package dev.tailwater.restore;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.archive.pack.PackedRange;
import java.util.Optional;

/**
 * Where a pack holds a range.
 *
 * @param index which of the pack's ranges it is
 * @param permissions the mode bits of the file when the pack was made, 07777
 * @param owner who owned the file then; empty if that is not told
 */
public record PackedAt(OpenedPack pack, int index, int permissions, Optional<FileOwner> owner) {
  /** Returns what the directory says of the range. */
  public PackedRange range() {
    return pack.directory().ranges().get(index);
  }

  /** Returns when the range was sealed, by the agent's clock, milliseconds since 1970. */
  public long sealedAtMillis() {
    return pack.directory().sealedAtMillis(range());
  }
}
