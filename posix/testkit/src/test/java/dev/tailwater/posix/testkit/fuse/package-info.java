/** Tests of the FUSE mount. */
@NullMarked
package dev.tailwater.posix.testkit.fuse;

import org.jspecify.annotations.NullMarked;
