/**
 * Embedded key-value store: a sorted map of byte arrays that is durable when a write returns.
 *
 * <p>In come keys, values and {@linkplain dev.tailwater.store.WriteBatch batches} from many threads
 * at once; out come checksummed log and snapshot files in one directory (layout: {@code
 * docs/store-format.md}). {@link dev.tailwater.store.TransactionLogStore} keeps everything in
 * memory and on the log; {@link dev.tailwater.store.StoreTool} looks into a directory that nobody
 * has open. The agent keeps its checkpoints here; nothing in this package knows of the agent.
 */
@NullMarked
package dev.tailwater.store;

import org.jspecify.annotations.NullMarked;
