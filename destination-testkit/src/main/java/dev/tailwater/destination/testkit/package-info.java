/**
 * The suite that every destination passes, and destinations for the tests of other modules: in
 * memory, slow, and faulty.
 *
 * <p>A kind of destination extends {@link
 * dev.tailwater.destination.testkit.DestinationConformance}; so does a user who wants to know
 * whether his own storage keeps the contract.
 */
@NullMarked
package dev.tailwater.destination.testkit;

import org.jspecify.annotations.NullMarked;
