/**
 * The suite that every destination passes, and what the tests of other modules need: destinations
 * in memory, slow, and faulty, proxies that do what networks do, the options in a guide.
 *
 * <p>A kind of destination extends {@link
 * dev.tailwater.destination.testkit.DestinationConformance}; so does a user who wants to know
 * whether his own storage keeps the contract.
 */
@NullMarked
package dev.tailwater.destination.testkit;

import org.jspecify.annotations.NullMarked;
