/** Tests of how the lab measures and compares. */
@NullMarked
package dev.tailwater.lab.measure;

import org.jspecify.annotations.NullMarked;
