/**
 * Data-file mode: a store whose values lie on disk in append-only files that are log and data at
 * once, with a compact index in memory outside the Java heap.
 *
 * <p>{@link dev.tailwater.store.datafile.DataFileStore} is the store and {@link
 * dev.tailwater.store.datafile.DataFileOptions} configures it; everything else here assembles the
 * rooms below. The layout of the files is in {@code docs/store-format.md}, "Data-file mode".
 */
@NullMarked
package dev.tailwater.store.datafile;

import org.jspecify.annotations.NullMarked;
