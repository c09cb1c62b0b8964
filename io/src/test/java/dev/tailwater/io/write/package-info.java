@NullMarked
package dev.tailwater.io.write;

import org.jspecify.annotations.NullMarked;
