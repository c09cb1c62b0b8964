/**
 * Recovery: brings back data files and index when a store is opened, from the index checkpoint, the
 * hints, and the records that neither covers; cuts a torn tail; reports damage.
 */
@NullMarked
package dev.tailwater.store.datafile.recovery;

import org.jspecify.annotations.NullMarked;
