/**
 * The data-file mode: values on disk in append-only files that are log and data at once, a compact
 * index in memory outside the Java heap.
 *
 * <p>In come reads and writes from many threads; out come records in data files (layout: {@code
 * docs/store-format.md}, "Data-file mode"). {@link dev.tailwater.store.datafile.DataFileStore} is
 * the store.
 */
@NullMarked
package dev.tailwater.store.datafile;

import org.jspecify.annotations.NullMarked;
