/**
 * From changes in directories to tails with work to do.
 *
 * <p>In come the changes that {@code io}'s directory watch reports; out go tails, opened, renamed,
 * refreshed and ended, and scheduled for sealing. One thread does all of it.
 */
@NullMarked
package dev.tailwater.delivery.watch;

import org.jspecify.annotations.NullMarked;
