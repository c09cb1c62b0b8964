/**
 * The suite that every destination passes, and tools for the tests of other modules: destinations
 * in memory, slow, and faulty; proxies that inject network faults; and the table of options in a
 * guide.
 *
 * <p>Each kind of destination extends {@link
 * dev.tailwater.destination.testkit.DestinationConformance}. Users can do the same to test whether
 * their own storage keeps the contract.
 */
@NullMarked
package dev.tailwater.destination.testkit;

import org.jspecify.annotations.NullMarked;
