/**
 * The lab's methods of measuring: in rounds in which all variants take turns, in JVMs of their own
 * if the compiler matters, with the page cache full or empty; and the comparison of results.
 *
 * <p>This package takes variants as code and returns {@linkplain dev.tailwater.lab.result.Series
 * series}. The experiments call it.
 */
@NullMarked
package dev.tailwater.lab.measure;

import org.jspecify.annotations.NullMarked;
