package dev.tailwater.lab.result;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one experiment found.
 *
 * @param name {@code write-size-sync}
 * @param question one sentence
 * @param article the article it comes from, {@code 000}; empty when from none
 * @param skipped why it was not run, and what to do about it; the rest is empty then
 * @param conditions what was the same for all: {@code file size} is {@code 100 MiB}
 * @param elapsedMillis how long it took
 */
public record ExperimentResult(
    String name,
    String question,
    Optional<String> article,
    Optional<String> skipped,
    Map<String, String> conditions,
    List<ResultTable> tables,
    List<Plot> plots,
    List<Conclusion> conclusions,
    List<Recommendation> recommendations,
    long elapsedMillis) {}
