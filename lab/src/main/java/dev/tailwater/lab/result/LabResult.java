package dev.tailwater.lab.result;

import java.util.List;

/**
 * One run of the lab.
 *
 * @param format of the JSON file, {@value #FORMAT}
 * @param startedAt RFC 3339, UTC
 * @param effort {@code quick}, {@code normal} or {@code full}
 */
public record LabResult(
    int format,
    String version,
    String startedAt,
    String effort,
    HostFacts host,
    List<ExperimentResult> experiments) {
  public static final int FORMAT = 1;

  public LabResult {
    experiments = List.copyOf(experiments);
  }
}
