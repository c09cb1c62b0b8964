package dev.tailwater.store.log.format;

import dev.tailwater.store.DamagedStoreException;

/** The rules for a log beyond whole frames. */
public final class LogCheck {
  private final FrameReader frames;

  public LogCheck(FrameReader frames) {
    this.frames = frames;
  }

  public void frame(FrameHeader header, long offsetBytes) throws DamagedStoreException {
    if (header.kind() == FrameKind.SNAPSHOT_END) {
      throw frames.damaged(offsetBytes, "the end of a snapshot in a log");
    }
  }

  /** A log is sealed before the next one is made, so it cannot have a torn tail. */
  public void endOfEarlierLog(FrameReader.Extent extent) throws DamagedStoreException {
    if (!extent.isSealed()) {
      throw frames.damaged(
          extent.endBytes(),
          extent.torn().orElse("the file ends without a seal") + ", and it is not the last log");
    }
  }
}
