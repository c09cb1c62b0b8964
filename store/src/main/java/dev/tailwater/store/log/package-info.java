/**
 * Transaction-log mode: keys and values live in memory, in order, and every change is appended to a
 * log; a snapshot replaces the logs when they have grown.
 *
 * <p>{@link dev.tailwater.store.log.TransactionLogStore} is the store, {@link
 * dev.tailwater.store.log.StoreTool} looks into a directory that nobody has open. The layout of the
 * files is in {@code docs/store-format.md}.
 */
@NullMarked
package dev.tailwater.store.log;

import org.jspecify.annotations.NullMarked;
