package dev.tailwater.destination.contract;

import java.util.List;
import java.util.stream.Stream;

/** The contract of {@link dev.tailwater.destination.Destination} as a list of checks. */
public final class Contract {
  /**
   * The length of the longest keys in the checks; the names in an archive are shorter, apart from
   * the agent's name.
   */
  public static final int LONG_KEY_BYTES = 650;

  private Contract() {}

  /** Returns all checks in a readable order. */
  public static List<Check> checks() {
    return Stream.of(
            PutChecks.all(),
            UploadChecks.all(),
            ReadChecks.all(),
            ListChecks.all(),
            ChangeChecks.all(),
            NameChecks.all())
        .flatMap(List::stream)
        .toList();
  }
}
