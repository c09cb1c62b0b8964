/** Tests against the real kernel, with real file systems and, where one is needed, a fault. */
@NullMarked
package dev.tailwater.io;

import org.jspecify.annotations.NullMarked;
