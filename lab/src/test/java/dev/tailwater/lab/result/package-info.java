/** Tests of what the lab has found. */
@NullMarked
package dev.tailwater.lab.result;

import org.jspecify.annotations.NullMarked;
