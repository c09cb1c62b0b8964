/** The experiment with reads: the fastest way of reading a file, and its cost. */
@NullMarked
package dev.tailwater.lab.read;

import org.jspecify.annotations.NullMarked;
