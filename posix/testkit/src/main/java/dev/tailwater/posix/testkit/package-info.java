/**
 * Faults for code that takes a {@link dev.tailwater.posix.FileCalls}, and real file systems for
 * tests.
 *
 * <p>It wraps the real file calls with a {@link dev.tailwater.posix.testkit.FaultPlan}. The
 * resulting file calls fail, transfer less, wait or crash exactly where the plan says. The tests of
 * all modules use this package.
 */
@NullMarked
package dev.tailwater.posix.testkit;

import org.jspecify.annotations.NullMarked;
