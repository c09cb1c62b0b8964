package dev.tailwater.destination;

/**
 * Something that can be set about a kind of destination, in the query of its URI: {@code
 * s3://bucket/prefix?region=eu-west-1}.
 *
 * @param name in lower case, words joined by dashes; {@code path-style}
 * @param placeholder what stands for the value in help texts; {@code NAME}
 * @param standard what holds when it is not given, for people
 * @param meaning one sentence
 */
public record DestinationOption(String name, String placeholder, String standard, String meaning) {}
