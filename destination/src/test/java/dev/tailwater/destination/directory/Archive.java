package dev.tailwater.destination.directory;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** What the tests of this package do with a directory again and again. */
final class Archive {
  private Archive() {}

  static Destination open(Path root, FileCalls calls) throws DestinationException {
    return open(root, calls, OpenIntent.WRITE);
  }

  static Destination open(Path root, FileCalls calls, OpenIntent intent)
      throws DestinationException {
    return Destinations.open(
        root.toString(),
        intent,
        new DestinationContext(calls, InstantSource.system(), new Random()));
  }

  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  static PutResult put(Destination archive, String key, int length) throws DestinationException {
    return archive.putSegment(key, ByteBuffer.wrap(bytes(length)));
  }

  static byte[] read(Destination archive, String key) throws IOException {
    try (InputStream stream = archive.read(key, 0, Long.MAX_VALUE)) {
      return stream.readAllBytes();
    }
  }

  static List<String> keys(Destination archive) throws DestinationException {
    return archive.list("", Optional.empty(), 1000).entries().stream().map(Entry::key).toList();
  }

  /** The names in the directory of unfinished files. */
  static List<String> unfinished(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(ObjectKeys.RESERVED))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
