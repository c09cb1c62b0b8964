package dev.tailwater.store.datafile.format;

import dev.tailwater.store.datafile.index.Location;

/**
 * What a hint says of the data file as a whole.
 *
 * @param dataSalt salt of the data file that it was made from
 * @param dataBytes everything before this offset is in the hint, and was durable
 * @param sealed whether a seal is the last thing before that offset
 * @param lastSequence number of the last record before it, or of the last record before the file
 * @param records number of all these records, without marks
 * @param units length of these records, each rounded up as in a {@link Location}
 */
public record HintSummary(
    long dataSalt, long dataBytes, boolean sealed, long lastSequence, long records, long units) {}
