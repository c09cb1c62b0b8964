/**
 * Reads: from a key or a location to a checked record, by the cheapest way that works: a resident
 * mapping, the cache of hot values, or a read of the file.
 *
 * <p>No call here takes a lock that writers hold. A gate keeps memory and files from being closed
 * while somebody reads them. Snapshots, which are consistent views for readers, are here too.
 */
@NullMarked
package dev.tailwater.store.datafile.read;

import org.jspecify.annotations.NullMarked;
