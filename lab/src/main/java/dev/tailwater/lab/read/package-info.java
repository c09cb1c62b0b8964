/** The experiment with reads: which way of reading a file is the fastest, and what it costs. */
@NullMarked
package dev.tailwater.lab.read;

import org.jspecify.annotations.NullMarked;
