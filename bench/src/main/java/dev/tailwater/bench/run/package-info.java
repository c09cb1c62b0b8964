/**
 * What every benchmark needs: the program under test, its options and children, samples, and the
 * report of a run with kernel, file system, JDK and date.
 */
@NullMarked
package dev.tailwater.bench.run;

import org.jspecify.annotations.NullMarked;
