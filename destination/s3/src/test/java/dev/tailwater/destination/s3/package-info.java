/** Tests against real servers that they start, and behind a proxy with faults. */
@NullMarked
package dev.tailwater.destination.s3;

import org.jspecify.annotations.NullMarked;
