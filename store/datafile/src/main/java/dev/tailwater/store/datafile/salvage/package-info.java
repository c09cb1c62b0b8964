/**
 * Checking and repairing the files of data-file mode: finds every damaged range and every whole
 * record behind it, tells which keys are affected, and rewrites damaged files without what is
 * damaged. See "Repair" in {@code docs/store-format.md}.
 *
 * <p>Works on the directory of a store that nobody has open; knows the files and nothing of an open
 * store.
 */
@NullMarked
package dev.tailwater.store.datafile.salvage;

import org.jspecify.annotations.NullMarked;
