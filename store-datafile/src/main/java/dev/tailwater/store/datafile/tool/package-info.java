/**
 * Stores of either mode behind one interface: {@link dev.tailwater.store.datafile.tool.Stores}
 * opens the one that a directory holds; {@link dev.tailwater.store.datafile.tool.ClosedStore}
 * inspects, checks and repairs one that nobody has open. The {@code tailwater store} commands use
 * it.
 */
@NullMarked
package dev.tailwater.store.datafile.tool;

import org.jspecify.annotations.NullMarked;
