/**
 * Stores of either mode behind one front: opening the one that a directory holds, looking into one
 * that nobody has open, checking and repairing it, and carrying its entries from one to another as
 * text. The command line is made of it.
 *
 * <p>In comes a directory; out come entries, numbers, what is damaged, and a repaired store.
 */
@NullMarked
package dev.tailwater.store.tool;

import org.jspecify.annotations.NullMarked;
