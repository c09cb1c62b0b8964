/**
 * The contract of {@link dev.tailwater.destination.Destination} as sentences that can be tested on
 * any destination, without a test framework. Each sentence is a {@link
 * dev.tailwater.destination.contract.Check}, which also says what its failure means to a user.
 *
 * <p>A check takes a way to open an empty place. It returns nothing, or throws a {@link
 * dev.tailwater.destination.contract.ContractViolationException} that says what was found instead.
 * The conformance suite of the testkit runs the checks for the destinations of this project, and
 * {@code tailwater probe} runs them for a user's destination.
 */
@NullMarked
package dev.tailwater.destination.contract;

import org.jspecify.annotations.NullMarked;
