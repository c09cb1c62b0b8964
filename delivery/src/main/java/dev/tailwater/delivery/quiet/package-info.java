/** When files leave memory, and the descriptors that stay open of those that did. */
@NullMarked
package dev.tailwater.delivery.quiet;

import org.jspecify.annotations.NullMarked;
