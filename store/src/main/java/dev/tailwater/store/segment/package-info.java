/**
 * The bytes of the data-file mode on disk: data files of records, hint files and index snapshots;
 * see "Data-file mode" in {@code docs/store-format.md}.
 *
 * <p>In come records to be encoded and files to be read; out come bytes, and records that have been
 * checked, or the place where a file is torn or damaged. Knows nothing of the index in memory, of
 * threads or of durability. Used by {@code store.datafile}.
 */
@NullMarked
package dev.tailwater.store.segment;

import org.jspecify.annotations.NullMarked;
