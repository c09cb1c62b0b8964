/**
 * What it costs to know which of many files have changed, and how soon one knows: polling, the
 * JDK's WatchService, inotify, our hybrid, fanotify.
 *
 * <p>In comes a {@linkplain dev.tailwater.lab.measure.Laboratory laboratory}; out go {@linkplain
 * dev.tailwater.lab.experiment.Findings findings}. The lab runs it.
 */
@NullMarked
package dev.tailwater.lab.change;

import org.jspecify.annotations.NullMarked;
