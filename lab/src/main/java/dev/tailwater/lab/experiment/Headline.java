package dev.tailwater.lab.experiment;

import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.Conclusion;

/**
 * The answer of an experiment at a glance, computed from its tables whenever a report is drawn.
 *
 * @param plot the figures that the answer is based on, with those of the article
 * @param verdict the answer in one sentence
 * @param article what the article reported of it, in a few words; empty if there is no article, or
 *     it says nothing of it
 */
public record Headline(PlotData plot, Conclusion verdict, String article) {}
