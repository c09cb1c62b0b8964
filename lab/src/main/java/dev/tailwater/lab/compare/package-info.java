/**
 * Two results of the lab beside each other: two hosts, two kernels, before and after.
 *
 * <p>In come two results; out goes what can be compared, with how certain it is, and what cannot,
 * with the reason. The report and the command line show it.
 */
@NullMarked
package dev.tailwater.lab.compare;

import org.jspecify.annotations.NullMarked;
