/**
 * Benchmarks of the packaged program: throughput, latency, memory, start, drains, merging,
 * neighbors.
 */
@NullMarked
package dev.tailwater.bench.agent;

import org.jspecify.annotations.NullMarked;
