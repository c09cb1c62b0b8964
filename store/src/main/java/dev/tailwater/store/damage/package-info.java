/**
 * What tools say of a store that is not as it was written: which ranges of which files are damaged,
 * and what that means for keys. Data only; made by {@code store.log} and {@code store.salvage},
 * read by users and by the command line.
 */
@NullMarked
package dev.tailwater.store.damage;

import org.jspecify.annotations.NullMarked;
