package dev.tailwater.store.log;

import java.io.IOException;

/** Takes the whole frames of a file, in order. */
@FunctionalInterface
interface FrameVisitor {
  void frame(FrameHeader header, byte[] payload, long offsetBytes) throws IOException;
}
