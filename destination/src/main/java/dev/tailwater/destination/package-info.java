/**
 * Where an archive lives: the small interface that every kind of destination implements, its
 * contract in words, and the plain directory.
 *
 * <p>In come keys and bytes; out come durable objects, ordered lists and exceptions that say
 * whether it helps to try again. The agent's delivery and the restore side call it; {@link
 * dev.tailwater.destination.Destinations} finds the implementation for a URI through {@link
 * java.util.ServiceLoader}, on the class path or in a plug-in with a class loader of its own
 * ({@link dev.tailwater.destination.Plugins}). What is in the objects is of no interest here.
 */
@NullMarked
package dev.tailwater.destination;

import org.jspecify.annotations.NullMarked;
