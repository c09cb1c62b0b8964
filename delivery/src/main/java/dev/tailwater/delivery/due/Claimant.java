package dev.tailwater.delivery.due;

/**
 * Whose a file is: who takes turns with others in being delivered.
 *
 * @param source the number of the source that the file is in
 * @param userId of the owner; -1 if it is not known
 */
public record Claimant(int source, long userId) {}
