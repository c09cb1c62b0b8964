/**
 * Embedded key-value store: what a user of it sees, whatever the mode.
 *
 * <p>In come keys, values and {@linkplain dev.tailwater.store.WriteBatch batches} from many threads
 * at once; out come checksummed files in one directory (layout: {@code docs/store-format.md}).
 * There are two modes of a {@link dev.tailwater.store.KeyValueStore}: {@code
 * store.log.TransactionLogStore} keeps everything in memory, in order, and on a log; {@code
 * store.datafile.DataFileStore} keeps values on disk and a compact index in memory. The agent keeps
 * its checkpoints in the first; nothing here knows of the agent.
 */
@NullMarked
package dev.tailwater.store;

import org.jspecify.annotations.NullMarked;
