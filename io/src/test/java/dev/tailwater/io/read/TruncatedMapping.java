package dev.tailwater.io.read;

import dev.tailwater.io.FileRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The program of {@link TruncatedMappingTest}: looks at mapped files often enough to be compiled,
 * truncates them while it looks, and says what came of it. Arguments: file, rounds before.
 */
final class TruncatedMapping {
  private static final int FILE_BYTES = 64 * 1024;
  private static final int FILES = 6;

  /** Ways to look at bytes; none uses a byte as an index, see {@link FileView}. */
  private static final Map<String, FileView.Use<Long>> LOOKS =
      Map.of(
          "last long", TruncatedMapping::lastLong,
          "all longs", TruncatedMapping::allLongs,
          "all bytes", TruncatedMapping::allBytes,
          "array", TruncatedMapping::array,
          "stumble", TruncatedMapping::stumble);

  private final Path path;
  private final int rounds;

  private TruncatedMapping(Path path, int rounds) {
    this.path = path;
    this.rounds = rounds;
  }

  public static void main(String[] arguments) throws IOException {
    TruncatedMapping program =
        new TruncatedMapping(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    for (String name : LOOKS.keySet()) {
      for (long sizeAfterBytes : List.of(0L, 20_000L)) {
        for (boolean during : List.of(true, false)) {
          for (int i = 0; i < FILES; i++) {
            program.run(name, LOOKS.get(name), sizeAfterBytes, during);
          }
        }
      }
    }
    System.out.println("alive");
  }

  private void run(String name, FileView.Use<Long> look, long sizeAfterBytes, boolean during)
      throws IOException {
    byte[] content = new byte[FILE_BYTES];
    Arrays.fill(content, (byte) 1);
    Files.write(path, content);
    String what = name + " cut to " + sizeAfterBytes + (during ? " during" : " before");
    try (ReadableFile file = ReadableFile.open(path);
        FileView view = file.view(new FileRange(0, FILE_BYTES), ReadMethod.MAPPED)) {
      for (int round = 0; round < rounds; round++) {
        view.use(look);
      }
      if (!during) {
        truncate(sizeAfterBytes);
      }
      long said =
          view.use(
              bytes -> {
                if (during) {
                  truncate(sizeAfterBytes);
                }
                return look.apply(bytes);
              });
      System.out.println(what + " returned " + said);
    } catch (FileShrunkException e) {
      if (e.sizeBytes() != sizeAfterBytes
          || !String.valueOf(e.getMessage()).startsWith(path + " shrank")) {
        System.out.println(what + " said " + e);
      }
    }
  }

  private void truncate(long sizeBytes) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(sizeBytes);
    }
  }

  private static long lastLong(MemorySegment bytes) {
    return bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, bytes.byteSize() - Long.BYTES);
  }

  private static long allLongs(MemorySegment bytes) {
    long sum = 0;
    for (long i = 0; i < bytes.byteSize(); i += Long.BYTES) {
      sum += bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, i);
    }
    return sum;
  }

  private static long allBytes(MemorySegment bytes) {
    long sum = 0;
    for (long i = bytes.byteSize() - 1; i >= 0; i--) {
      sum += bytes.get(ValueLayout.JAVA_BYTE, i);
    }
    return sum;
  }

  private static long array(MemorySegment bytes) {
    byte[] copy = bytes.toArray(ValueLayout.JAVA_BYTE);
    return copy[copy.length - 1];
  }

  /** What a parser does with garbage: throws something of its own. */
  private static long stumble(MemorySegment bytes) {
    long last = lastLong(bytes);
    if (last != 0x0101_0101_0101_0101L) {
      throw new IllegalStateException("no such record: " + last);
    }
    return last;
  }
}
