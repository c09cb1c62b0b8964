@NullMarked
package dev.tailwater.io.copy;

import org.jspecify.annotations.NullMarked;
