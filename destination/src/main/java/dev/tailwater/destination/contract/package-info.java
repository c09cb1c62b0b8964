/**
 * The contract of {@link dev.tailwater.destination.Destination} as sentences that can be tried on
 * any destination, without a test framework: each a {@link
 * dev.tailwater.destination.contract.Check} with what its failure means to a user.
 *
 * <p>In comes a way to open an empty place; out comes nothing, or a {@link
 * dev.tailwater.destination.contract.ContractViolationException} that says what was found instead.
 * The conformance suite of the testkit runs them for the destinations of this project, {@code
 * tailwater probe} for the one of a user.
 */
@NullMarked
package dev.tailwater.destination.contract;

import org.jspecify.annotations.NullMarked;
