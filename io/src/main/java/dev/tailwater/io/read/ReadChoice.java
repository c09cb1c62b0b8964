package dev.tailwater.io.read;

/**
 * How a range is read, and the reason in words for people.
 *
 * @param why a sentence without a full stop
 */
public record ReadChoice(ReadMethod method, String why) {}
