/**
 * Checking and repairing the files of the data-file mode: finds every damaged range and every whole
 * record behind it, says which keys are not what they were, and writes damaged files anew without
 * what is damaged. See "Repair" in docs/store-format.md.
 *
 * <p>In comes the directory of a store that nobody has open; out come damages, keys and a store
 * that opens. Used by {@code store.tool}; knows the files and nothing of an open store.
 */
@NullMarked
package dev.tailwater.store.salvage;

import org.jspecify.annotations.NullMarked;
