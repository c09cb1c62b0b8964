/**
 * The interface of an embedded key-value store, whatever its mode.
 *
 * <p>Many threads at once put keys, values and {@linkplain dev.tailwater.store.WriteBatch batches};
 * the store keeps them in checksummed files in one directory (layout: {@code
 * docs/store-format.md}). There are two modes of a {@link dev.tailwater.store.KeyValueStore}:
 * {@code store.log.TransactionLogStore} keeps everything in memory, in order, and on a log; {@code
 * store.datafile.DataFileStore}, in a module of its own, keeps values on disk and a compact index
 * in memory.
 */
@NullMarked
package dev.tailwater.store;

import org.jspecify.annotations.NullMarked;
