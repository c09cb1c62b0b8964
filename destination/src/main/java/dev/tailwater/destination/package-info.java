/**
 * Destinations: the interface that every kind of destination implements, and its contract in words.
 *
 * <p>A destination takes keys and bytes. It returns durable objects, ordered lists, and exceptions
 * that say whether a retry helps. Delivery and restore call it. {@link
 * dev.tailwater.destination.Destinations} finds the implementation for a URI through {@link
 * java.util.ServiceLoader}, on the class path or in a plug-in with a class loader of its own
 * ({@link dev.tailwater.destination.Plugins}). A destination does not interpret the content of its
 * objects.
 */
@NullMarked
package dev.tailwater.destination;

import org.jspecify.annotations.NullMarked;
