package dev.tailwater.store.log.format;

import java.io.IOException;

/** Receives the whole frames of a file, in order. */
@FunctionalInterface
public interface FrameVisitor {
  void frame(FrameHeader header, byte[] payload, long offsetBytes) throws IOException;
}
