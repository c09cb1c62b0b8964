package dev.tailwater.destination.contract;

import java.util.List;
import java.util.stream.Stream;

/** Every sentence of the contract of {@link dev.tailwater.destination.Destination}. */
public final class Contract {
  /**
   * Some keys of the checks are so long; the names in an archive are shorter, but for what the
   * agent's name adds.
   */
  public static final int LONG_KEY_BYTES = 650;

  private Contract() {}

  /** All, in the order in which they make sense to read. */
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
