@NullMarked
package dev.tailwater.io.read;

import org.jspecify.annotations.NullMarked;
