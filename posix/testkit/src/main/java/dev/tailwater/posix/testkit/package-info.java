/**
 * Faults for code that takes a {@link dev.tailwater.posix.FileCalls}, and real file systems for
 * tests.
 *
 * <p>In come the real file calls and a {@link dev.tailwater.posix.testkit.FaultPlan}; out come file
 * calls that fail, shorten, delay or crash exactly where the plan says. Called by the tests of
 * every module.
 */
@NullMarked
package dev.tailwater.posix.testkit;

import org.jspecify.annotations.NullMarked;
