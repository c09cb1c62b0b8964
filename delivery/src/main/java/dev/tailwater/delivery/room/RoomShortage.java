package dev.tailwater.delivery.room;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.Problems;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

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
  private final int maxDescriptors;
  private final int mostInMemory;
  private final boolean isBoundByDescriptors;
  private final LongSupplier nanoClock;
  private boolean lacksDescriptors;
  private OptionalLong lacksMemorySinceNanos = OptionalLong.empty();
  private boolean isReported;

  /**
   * Creates a reporter.
   *
   * @param maxDescriptors how many files may be open at once
   * @param mostInMemory how many files may be in memory at once
   * @param isBoundByDescriptors whether these would be more if more could be open
   */
  public RoomShortage(
      Problems problems,
      int maxDescriptors,
      int mostInMemory,
      boolean isBoundByDescriptors,
      LongSupplier nanoClock) {
    this.problems = problems;
    this.maxDescriptors = maxDescriptors;
    this.mostInMemory = mostInMemory;
    this.isBoundByDescriptors = isBoundByDescriptors;
    this.nanoClock = nanoClock;
  }

  /** Returns whether a problem says that files wait until others are delivered. */
  public static boolean isMeant(Problem problem) {
    return SUBJECTS.contains(problem.subject());
  }

  /** Notes that a file waits for a descriptor. */
  public void lacksDescriptors() {
    if (!lacksDescriptors) {
      lacksDescriptors = true;
      problems.report(
          DescriptorShortage.SUBJECT,
          "more files are at risk than may be open (" + maxDescriptors + ")",
          Optional.of(DescriptorShortage.HINT),
          false);
    }
  }

  /** Notes that a file waits until there is room in memory. */
  public void lacksMemory() {
    if (lacksMemorySinceNanos.isEmpty()) {
      lacksMemorySinceNanos = OptionalLong.of(nanoClock.getAsLong());
    }
  }

  /** Reports that there has been no room in memory for a while. */
  public void reportLasting() {
    if (!isReported
        && lacksMemorySinceNanos.isPresent()
        && nanoClock.getAsLong() - lacksMemorySinceNanos.getAsLong() >= LASTING_NANOS) {
      isReported = true;
      problems.report(
          MEMORY,
          "only "
              + mostInMemory
              + (isBoundByDescriptors ? " files may be open" : " files fit into memory")
              + " at a time: the others wait until some of these are delivered, and what is"
              + " written to them is at risk until then",
          Optional.of(
              "'tailwater status' counts those that wait; if they always do, "
                  + (isBoundByDescriptors
                      ? DescriptorShortage.HINT
                      : "give the JVM more: TAILWATER_JAVA_OPTS=-Xmx512m")),
          false);
    }
  }

  /** Notes that no file waits for a descriptor. */
  public void hasDescriptors() {
    lacksDescriptors = false;
    problems.resolved(DescriptorShortage.SUBJECT);
  }

  /** Notes that no file waits for memory. */
  public void hasMemory() {
    lacksMemorySinceNanos = OptionalLong.empty();
    isReported = false;
    problems.resolved(MEMORY);
  }
}
