/**
 * The measurement of a store on the file system of a directory: rates and latencies of loads, reads
 * and writes with one and many threads. Used by {@code cli.command}.
 */
@NullMarked
package dev.tailwater.cli.bench;

import org.jspecify.annotations.NullMarked;
