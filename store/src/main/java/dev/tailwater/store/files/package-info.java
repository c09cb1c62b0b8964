/**
 * What the modes of the store have in common on disk: the directory, its lock, and reading through
 * a window. Used by {@code store.log}, {@code store.slot} and {@code store.datafile}; not meant
 * for users of the store.
 */
@NullMarked
package dev.tailwater.store.files;

import org.jspecify.annotations.NullMarked;
