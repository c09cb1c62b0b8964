/**
 * Measures a store on the file system of a directory: loads it, reads it, writes it with one and
 * many threads, and gives rates and latencies. Used by {@code cli.command}.
 */
@NullMarked
package dev.tailwater.cli.bench;

import org.jspecify.annotations.NullMarked;
