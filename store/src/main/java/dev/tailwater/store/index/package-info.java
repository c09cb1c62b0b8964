/**
 * Where a key's newest record lies, for many millions of keys in little memory outside the Java
 * heap.
 *
 * <p>In come 64-bit hashes and locations, from one writer at a time for each partition; out come
 * locations, to any number of readers who never wait. Knows neither keys nor files: where two keys
 * have one hash, the caller tells them apart. Used by {@code store.datafile}.
 */
@NullMarked
package dev.tailwater.store.index;

import org.jspecify.annotations.NullMarked;
