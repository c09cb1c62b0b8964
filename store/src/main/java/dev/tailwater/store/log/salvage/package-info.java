/**
 * Checking and repairing the files of a transaction-log store that nobody has open: reads every
 * whole frame, also behind damage, and tells which keys are affected.
 */
@NullMarked
package dev.tailwater.store.log.salvage;

import org.jspecify.annotations.NullMarked;
