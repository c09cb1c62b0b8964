package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.SegmentUpload;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * A process that delivers two segments and then waits in the middle of a third, until it is killed
 * or told by a line of input to finish the segment.
 */
final class HalfWritten {
  static final List<String> WHOLE = List.of("agent/0-1", "agent/1-2");
  static final String HALF = "agent/2-3";
  static final int LENGTH = 5_000_000;

  private HalfWritten() {}

  static byte[] bytes(String key) {
    byte[] bytes = new byte[LENGTH];
    new Random(key.hashCode()).nextBytes(bytes);
    return bytes;
  }

  /** Starts the process; returns when it is in the middle of the segment. */
  static Process start(String place) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                HalfWritten.class.getName(),
                place)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = process.inputReader().readLine();
    if (!"half".equals(said)) {
      process.destroyForcibly();
      throw new IOException("the process says " + said);
    }
    return process;
  }

  /** The main method of the process. */
  public static void main(String[] arguments) throws Exception {
    HdfsPlace place = HdfsPlace.parse(URI.create(arguments[0]));
    try (HdfsDestination archive =
        HdfsDestination.open(place, OpenIntent.WRITE, HdfsCluster.context(), TimeLimits.STANDARD)) {
      for (String key : WHOLE) {
        archive.putSegment(key, ByteBuffer.wrap(bytes(key)));
      }
      try (SegmentUpload upload = archive.beginSegment(HALF)) {
        upload.write(ByteBuffer.wrap(bytes(HALF), 0, LENGTH / 2));
        System.out.println("half");
        if (System.in.read() >= 0) {
          upload.write(ByteBuffer.wrap(bytes(HALF), LENGTH / 2, LENGTH - LENGTH / 2));
          System.out.println(upload.commit());
        }
      }
    }
  }
}
