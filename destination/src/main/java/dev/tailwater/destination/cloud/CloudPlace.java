package dev.tailwater.destination.cloud;

import java.net.URI;

/**
 * Where in a store the objects of a destination are.
 *
 * @param uri the canonical form of the destination's URI
 * @param prefix of every name; empty, or ends with a slash
 * @param retains whether new objects stay for a while even if they are removed
 */
public record CloudPlace(URI uri, String prefix, boolean retains) {}
