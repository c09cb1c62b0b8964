package dev.tailwater.store.log.format;

import java.util.Optional;

/** What a frame carries. */
public enum FrameKind {
  /** Changes that are made together. */
  OPERATIONS(1),
  /** Nothing; everything before it was durable when it was written. */
  SEAL(2),
  /** Nothing; the last frame of a snapshot. */
  SNAPSHOT_END(3);

  private final byte code;

  FrameKind(int code) {
    this.code = (byte) code;
  }

  byte code() {
    return code;
  }

  static Optional<FrameKind> of(byte code) {
    for (FrameKind kind : values()) {
      if (kind.code == code) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
