/**
 * The known files of a directory, without an object for each: a million of them take a few tens of
 * megabytes.
 */
@NullMarked
package dev.tailwater.io.watch.name;

import org.jspecify.annotations.NullMarked;
