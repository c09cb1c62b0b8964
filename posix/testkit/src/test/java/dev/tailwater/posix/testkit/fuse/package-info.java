/** The FUSE mount of the tests, tested. */
@NullMarked
package dev.tailwater.posix.testkit.fuse;

import org.jspecify.annotations.NullMarked;
