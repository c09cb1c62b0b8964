/** Everything random that there is, run for as long as somebody likes: {@code ./soak}. */
@NullMarked
package dev.tailwater.it.soak;

import org.jspecify.annotations.NullMarked;
