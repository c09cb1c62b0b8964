/**
 * Recovery of a transaction-log store: which files make it up, and what they hold. Changes nothing.
 */
@NullMarked
package dev.tailwater.store.log.recovery;

import org.jspecify.annotations.NullMarked;
