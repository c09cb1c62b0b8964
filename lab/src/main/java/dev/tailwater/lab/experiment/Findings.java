package dev.tailwater.lab.experiment;

import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import java.util.List;
import java.util.Map;

/**
 * The findings of an experiment.
 *
 * @param conditions what was the same for all variants, in the order in which it is shown
 * @param plots at least one
 * @param conclusions at least one, each computed from the tables
 * @param recommendations none if the figures suggest no change
 */
public record Findings(
    Map<String, String> conditions,
    List<ResultTable> tables,
    List<Plot> plots,
    List<Conclusion> conclusions,
    List<Recommendation> recommendations) {}
