/**
 * Comparisons of two results of the lab: two hosts, two kernels, before and after a change.
 *
 * <p>A comparison of two results contains what can be compared, with its certainty, and what
 * cannot, with the reason. The report and the command line show it.
 */
@NullMarked
package dev.tailwater.lab.compare;

import org.jspecify.annotations.NullMarked;
