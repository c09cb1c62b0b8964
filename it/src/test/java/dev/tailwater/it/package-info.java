/** Black-box tests of the packaged program, and the layering of everything. */
@NullMarked
package dev.tailwater.it;

import org.jspecify.annotations.NullMarked;
