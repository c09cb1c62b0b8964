package dev.tailwater.destination.contract;

import java.util.List;
import java.util.stream.Stream;

/** The contract of {@link dev.tailwater.destination.Destination} as a list of checks. */
public final class Contract {
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
