package dev.tailwater.store.log.format;

import dev.tailwater.store.DamagedStoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules for a snapshot beyond whole frames: ascending puts, and an end that counts them. */
public final class SnapshotCheck {
  private final FrameReader frames;
  private final long sizeBytes;
  private long entries;
  private byte @Nullable [] lastKey;

  public SnapshotCheck(FrameReader frames, long sizeBytes) {
    this.frames = frames;
    this.sizeBytes = sizeBytes;
  }

  public void frame(FrameHeader header, long offsetBytes, List<Operation> operations)
      throws DamagedStoreException {
    for (Operation operation : operations) {
      if (!operation.isPut()
          || (lastKey != null && Arrays.compareUnsigned(lastKey, operation.key()) >= 0)) {
        throw frames.damaged(offsetBytes, "a snapshot's entries are not puts in ascending order");
      }
      lastKey = operation.key();
      entries++;
    }
    boolean isEnd = header.kind() == FrameKind.SNAPSHOT_END;
    if (header.kind() == FrameKind.SEAL || (isEnd && header.operations() != entries)) {
      throw frames.damaged(
          offsetBytes, "a snapshot's end does not fit its " + entries + " entries");
    }
  }

  public void end(FrameReader.Extent extent) throws DamagedStoreException {
    boolean ended =
        extent.lastFrame().map(FrameHeader::kind).equals(Optional.of(FrameKind.SNAPSHOT_END));
    if (extent.torn().isPresent() || !ended || extent.endBytes() != sizeBytes) {
      throw frames.damaged(
          extent.endBytes(), extent.torn().orElse("the snapshot has no end frame"));
    }
  }
}
