/** Tests of the fault injection, and of native file calls on file systems that the tests mount. */
@NullMarked
package dev.tailwater.posix.testkit;

import org.jspecify.annotations.NullMarked;
