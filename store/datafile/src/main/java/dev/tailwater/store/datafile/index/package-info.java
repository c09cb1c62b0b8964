/**
 * The index in memory: where each key's newest record lies, for many millions of keys in little
 * memory outside the Java heap.
 *
 * <p>It maps 64-bit hashes to locations. Each partition has one writer at a time; readers never
 * wait. It knows neither keys nor files: where two keys have the same hash, the caller tells them
 * apart.
 */
@NullMarked
package dev.tailwater.store.datafile.index;

import org.jspecify.annotations.NullMarked;
