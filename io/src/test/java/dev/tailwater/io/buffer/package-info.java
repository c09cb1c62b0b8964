@NullMarked
package dev.tailwater.io.buffer;

import org.jspecify.annotations.NullMarked;
