/** Which of the files that came to names were opened, and which were gone before. */
@NullMarked
package dev.tailwater.delivery.life;

import org.jspecify.annotations.NullMarked;
