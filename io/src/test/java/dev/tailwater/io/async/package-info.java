@NullMarked
package dev.tailwater.io.async;

import org.jspecify.annotations.NullMarked;
