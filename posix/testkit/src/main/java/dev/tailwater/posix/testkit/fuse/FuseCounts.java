package dev.tailwater.posix.testkit.fuse;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Counts of the requests that came from the kernel since the mount or the last reset.
 *
 * @param readSizes the number of READ requests by requested size in bytes
 * @param writeSizes the number of WRITE requests by size in bytes
 * @param fsyncRequests the number of requests to make data durable
 */
public record FuseCounts(
    Map<Integer, Long> readSizes, Map<Integer, Long> writeSizes, long fsyncRequests) {
  public FuseCounts {
    readSizes = new TreeMap<>(readSizes);
    writeSizes = new TreeMap<>(writeSizes);
  }

  public long readRequests() {
    return requests(readSizes);
  }

  /** Returns the number of bytes requested by READs; the last one of a file may return fewer. */
  public long readBytes() {
    return bytes(readSizes);
  }

  public long writeRequests() {
    return requests(writeSizes);
  }

  public long writeBytes() {
    return bytes(writeSizes);
  }

  private static long requests(Map<Integer, Long> sizes) {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  private static long bytes(Map<Integer, Long> sizes) {
    return sizes.entrySet().stream().mapToLong(size -> size.getKey() * size.getValue()).sum();
  }

  /** Returns one line for {@link #parse}: {@code R 4096:1,8192:3; W 131072:8; S 1}. */
  String toLine() {
    return "R " + text(readSizes) + " W " + text(writeSizes) + " S " + fsyncRequests;
  }

  private static String text(Map<Integer, Long> sizes) {
    return sizes.entrySet().stream()
        .map(size -> size.getKey() + ":" + size.getValue())
        .collect(Collectors.joining(",", "", ";"));
  }

  static FuseCounts parse(String line) {
    String[] words = line.split(" ", -1);
    if (words.length != 6) {
      throw new IllegalArgumentException("no counts of a FUSE server: " + line);
    }
    return new FuseCounts(sizes(words[1]), sizes(words[3]), Long.parseLong(words[5]));
  }

  private static Map<Integer, Long> sizes(String text) {
    return Arrays.stream(text.substring(0, text.length() - 1).split(",", -1))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> entry.split(":", -1))
        .collect(
            Collectors.toMap(entry -> Integer.valueOf(entry[0]), entry -> Long.valueOf(entry[1])));
  }
}
