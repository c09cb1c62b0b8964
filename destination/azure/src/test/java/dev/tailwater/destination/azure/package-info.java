/** Tests against an emulator that they start, and through a proxy that injects faults. */
@NullMarked
package dev.tailwater.destination.azure;

import org.jspecify.annotations.NullMarked;
