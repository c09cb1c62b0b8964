/** Tests of the native file calls against the kernel they run on. */
@NullMarked
package dev.tailwater.posix;

import org.jspecify.annotations.NullMarked;
