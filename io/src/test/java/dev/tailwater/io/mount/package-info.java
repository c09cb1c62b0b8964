@NullMarked
package dev.tailwater.io.mount;

import org.jspecify.annotations.NullMarked;
