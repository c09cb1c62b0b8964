/**
 * Writes: from changes to records in the newest data file, entries in the index, and a group commit
 * that makes them durable.
 *
 * <p>All changes are made under one append lock. Readers see a change when it is as durable as its
 * write asked for.
 */
@NullMarked
package dev.tailwater.store.datafile.write;

import org.jspecify.annotations.NullMarked;
