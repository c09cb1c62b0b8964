package dev.tailwater.destination;

/**
 * One object in a {@link Listing}.
 *
 * @param sizeBytes length of the object, 0 or more
 * @param modifiedMillis when it was last written, milliseconds since the epoch, by the clock of the
 *     storage and to its precision
 */
public record Entry(String key, long sizeBytes, long modifiedMillis) {}
