package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/** Makes objects for tests. */
public final class TestObjects {
  private TestObjects() {}

  /** Returns bytes that do not compress; the same ones for each length. */
  public static byte[] bytes(int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    new Random(lengthBytes).nextBytes(bytes);
    return bytes;
  }

  /** Uploads an object in the way of a segment whose length is not known before. */
  public static PutResult upload(Destination place, String key, byte[] content) throws IOException {
    try (SegmentUpload upload = place.beginSegment(key)) {
      upload.write(ByteBuffer.wrap(content));
      return upload.commit();
    }
  }
}
