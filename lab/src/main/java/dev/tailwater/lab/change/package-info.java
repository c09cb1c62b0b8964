/**
 * The experiment with changes: the cost of knowing which of many files have changed, and the time
 * until a change is known, with polling, the JDK's WatchService, inotify, the project's hybrid, and
 * fanotify.
 *
 * <p>The experiment takes a {@linkplain dev.tailwater.lab.measure.Laboratory laboratory} and
 * returns {@linkplain dev.tailwater.lab.experiment.Findings findings}. The lab runs it.
 */
@NullMarked
package dev.tailwater.lab.change;

import org.jspecify.annotations.NullMarked;
