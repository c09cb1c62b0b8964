package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.Problems;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Reports that files wait to be opened, for lack of descriptors or of memory: once each time that
 * this begins, however many they are. That they wait for memory is no problem unless it lasts: so
 * do the files that the first scan finds, until others are delivered. Used by the watch thread
 * only.
 */
public final class RoomShortage {
  private static final String MEMORY = "files in memory";

  private static final Set<String> SUBJECTS = Set.of(DescriptorShortage.SUBJECT, MEMORY);
  private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Problems problems;
  private final ObserverSettings settings;
  private boolean lacksDescriptors;
  private OptionalLong lacksMemorySinceNanos = OptionalLong.empty();
  private boolean isReported;

  RoomShortage(Problems problems, ObserverSettings settings) {
    this.problems = problems;
    this.settings = settings;
  }

  /** Returns whether a problem says that files wait until others are delivered. */
  public static boolean isMeant(Problem problem) {
    return SUBJECTS.contains(problem.subject());
  }

  /** Notes that a file waits for a descriptor. */
  void lacksDescriptors() {
    if (!lacksDescriptors) {
      lacksDescriptors = true;
      problems.report(
          DescriptorShortage.SUBJECT,
          "more files are at risk than may be open (" + settings.maxDescriptors() + ")",
          Optional.of(DescriptorShortage.HINT),
          false);
    }
  }

  /** Notes that a file waits until there is room in memory. */
  void lacksMemory() {
    if (lacksMemorySinceNanos.isEmpty()) {
      lacksMemorySinceNanos = OptionalLong.of(settings.clocks().nanos());
    }
  }

  /** Reports that there has been no room in memory for a while. */
  void reportLasting() {
    if (!isReported
        && lacksMemorySinceNanos.isPresent()
        && settings.clocks().nanos() - lacksMemorySinceNanos.getAsLong() >= LASTING_NANOS) {
      isReported = true;
      problems.report(
          MEMORY,
          "only "
              + settings.mostInMemory()
              + (settings.lacksDescriptors() ? " files may be open" : " files fit into memory")
              + " at a time: the others wait until some of these are delivered, and what is"
              + " written to them is at risk until then",
          Optional.of(
              "'tailwater status' counts those that wait; if they always do, "
                  + (settings.lacksDescriptors()
                      ? DescriptorShortage.HINT
                      : "give the JVM more: TAILWATER_JAVA_OPTS=-Xmx512m")),
          false);
    }
  }

  /** Notes that no file waits for a descriptor. */
  void hasDescriptors() {
    lacksDescriptors = false;
    problems.resolved(DescriptorShortage.SUBJECT);
  }

  /** Notes that no file waits for memory. */
  void hasMemory() {
    lacksMemorySinceNanos = OptionalLong.empty();
    isReported = false;
    problems.resolved(MEMORY);
  }
}
