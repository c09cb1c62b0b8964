package dev.tailwater.lab.compare;

/**
 * A value that differs between the two results.
 *
 * @param first empty when the first says nothing
 * @param second empty when the second says nothing
 */
public record Pair(String name, String first, String second) {}
