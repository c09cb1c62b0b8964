package dev.tailwater.lab.compare;

/**
 * A value that differs between the two results.
 *
 * @param first empty if the first does not have it
 * @param second empty if the second does not have it
 */
public record Pair(String name, String first, String second) {}
