package dev.tailwater.lab.compare;

/**
 * Something that the two results say differently.
 *
 * @param first empty when the first says nothing
 * @param second empty when the second says nothing
 */
public record Pair(String name, String first, String second) {}
