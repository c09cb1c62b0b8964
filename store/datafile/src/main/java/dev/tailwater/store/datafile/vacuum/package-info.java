/**
 * The vacuum: rewrites neighbouring data files without the records that are dead, in the background
 * and at a bounded rate, and puts the result in their place.
 */
@NullMarked
package dev.tailwater.store.datafile.vacuum;

import org.jspecify.annotations.NullMarked;
