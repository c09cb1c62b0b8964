/**
 * Measures the data-file store beside other embedded stores, in one run and in turns. In come the
 * engines, each in a JVM of its own, and {@code fio}; out goes a table, with every figure as JSON.
 * Called by people; see bench/README.md.
 */
@NullMarked
package dev.tailwater.bench.stores;

import org.jspecify.annotations.NullMarked;
