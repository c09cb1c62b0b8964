/**
 * The watch: from changes in directories to tails with work to do.
 *
 * <p>One thread applies the changes that {@code io}'s directory watch reports: it opens, renames,
 * refreshes and ends tails, and schedules them for sealing.
 */
@NullMarked
package dev.tailwater.delivery.watch;

import org.jspecify.annotations.NullMarked;
