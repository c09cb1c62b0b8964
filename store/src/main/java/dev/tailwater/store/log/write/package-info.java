/**
 * Writes of a transaction-log store: gathers them in groups, decides them in order, appends them to
 * the log, and replaces logs by a snapshot when they have grown.
 */
@NullMarked
package dev.tailwater.store.log.write;

import org.jspecify.annotations.NullMarked;
