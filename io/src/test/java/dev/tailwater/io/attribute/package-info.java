@NullMarked
package dev.tailwater.io.attribute;

import org.jspecify.annotations.NullMarked;
