package dev.tailwater.cli.init;

import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The choice of sources from the directories in which logs were found. All of {@code /var/log} is
 * one source, so that new programs are shipped too; elsewhere each directory is one, with what is
 * below it.
 *
 * @param sources in the order of their bytes
 * @param more how many were left out
 */
record SourceChoice(List<SourceFound> sources, long more) {
  private static final int MAX_SOURCES = 8;
  private static final int MAX_BUSIEST = 5;
  private static final String GLOB_CHARACTERS = "*?[]{}\\";
  private static final Comparator<LogDirectory> MOST_BYTES_FIRST =
      Comparator.comparingLong(LogDirectory::bytes).reversed().thenComparing(LogDirectory::path);

  /**
   * Chooses.
   *
   * @param whole roots that are shipped as a whole
   */
  static SourceChoice of(List<LogSearch.Place> found, List<PosixPath> whole) {
    Map<PosixPath, List<LogSearch.Place>> bySource = new LinkedHashMap<>();
    List<LogSearch.Place> ordered =
        found.stream().sorted(Comparator.comparing(place -> place.directory().path())).toList();
    long unusable = 0;
    for (LogSearch.Place place : ordered) {
      PosixPath path = whole.contains(place.root()) ? place.root() : place.directory().path();
      PosixPath source =
          bySource.keySet().stream().filter(path::startsWith).findFirst().orElse(path);
      if (isWritable(source)) {
        bySource.computeIfAbsent(source, _ -> new ArrayList<>()).add(place);
      } else {
        unusable++;
      }
    }
    List<SourceFound> sources =
        bySource.entrySet().stream()
            .map(entry -> source(entry.getKey(), entry.getValue()))
            .filter(source -> source.directory().files() > 0)
            .sorted(Comparator.comparing(SourceFound::directory, MOST_BYTES_FIRST))
            .toList();
    int chosen = Math.min(MAX_SOURCES, sources.size());
    return new SourceChoice(sources.subList(0, chosen), sources.size() - chosen + unusable);
  }

  /** Whether a path means itself in a configuration file: it is text, and no glob. */
  private static boolean isWritable(PosixPath path) {
    String text = path.decoded();
    return PosixPath.of(text).equals(path)
        && text.codePoints().noneMatch(Character::isISOControl)
        && text.chars().noneMatch(character -> GLOB_CHARACTERS.indexOf(character) >= 0);
  }

  private static SourceFound source(PosixPath path, List<LogSearch.Place> places) {
    LogDirectory sum = new LogDirectory(path, 0, 0, 0);
    List<LogDirectory> parts = new ArrayList<>();
    List<String> exclude = new ArrayList<>();
    for (LogSearch.Place place : places) {
      sum = sum.plus(place.directory());
      if (place.noLog().isPresent()) {
        PosixPath absolute = place.directory().path().resolve(place.noLog().get());
        exclude.add(absolute.decoded().substring(path.decoded().length()));
      } else {
        parts.add(place.directory());
      }
    }
    List<LogDirectory> busiest =
        parts.stream().sorted(MOST_BYTES_FIRST).limit(MAX_BUSIEST).toList();
    return new SourceFound(sum, busiest, exclude.stream().sorted().toList());
  }
}
