/**
 * The contents of a transaction-log store in memory: an immutable ordered map of the puts that made
 * its entries, and snapshots of it.
 */
@NullMarked
package dev.tailwater.store.log.map;

import org.jspecify.annotations.NullMarked;
