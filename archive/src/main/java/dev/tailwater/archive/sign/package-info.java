/** Signatures of objects: who wrote them, and what a reader accepts. */
@NullMarked
package dev.tailwater.archive.sign;

import org.jspecify.annotations.NullMarked;
