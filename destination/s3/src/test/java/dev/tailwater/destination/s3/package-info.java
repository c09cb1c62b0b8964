/** Tests against real servers that they start, and through a proxy that injects faults. */
@NullMarked
package dev.tailwater.destination.s3;

import org.jspecify.annotations.NullMarked;
