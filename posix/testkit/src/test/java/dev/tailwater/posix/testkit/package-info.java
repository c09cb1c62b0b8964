/** Tests of the faults, and of native file calls on file systems that the test mounts. */
@NullMarked
package dev.tailwater.posix.testkit;

import org.jspecify.annotations.NullMarked;
