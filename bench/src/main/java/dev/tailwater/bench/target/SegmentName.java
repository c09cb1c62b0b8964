package dev.tailwater.bench.target;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the key of a segment says: {@code .../path of the file/stream id/segment}.
 *
 * @param fileName the last name of the source file's path
 * @param endBytes where the segment ends in the stream
 */
record SegmentName(String fileName, long endBytes) {
  private static final Pattern SEGMENT = Pattern.compile("(\\d{19})-(\\d{19})\\.(zst|gz)(\\.age)?");

  /** Empty for whatever is no segment. */
  static Optional<SegmentName> of(Path path) {
    Matcher segment = SEGMENT.matcher(path.getFileName().toString());
    if (!segment.matches()) {
      return Optional.empty();
    }
    String fileName = path.getName(path.getNameCount() - 3).toString();
    return Optional.of(new SegmentName(fileName, Long.parseLong(segment.group(2))));
  }
}
