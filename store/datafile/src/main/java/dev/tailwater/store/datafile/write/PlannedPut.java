package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.index.Location;

/**
 * A put that does not look at what is there.
 *
 * @param from where the index has the key's record, which has no index tags, when it has no other
 *     of this hash; {@link Location#NONE} when it has none of this hash
 */
record PlannedPut(RecordData data, long hash, long from) {}
