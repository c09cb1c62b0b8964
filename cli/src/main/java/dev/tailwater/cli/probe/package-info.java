/**
 * The probe of a destination before it is trusted: what it permits, whether it keeps the promises
 * of the interface, its clock, latency and throughput. It works in a folder of its own, which is
 * removed at the end. Used by {@code cli.command}.
 */
@NullMarked
package dev.tailwater.cli.probe;

import org.jspecify.annotations.NullMarked;
