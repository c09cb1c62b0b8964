/** What the documentation tells a reader to type and to configure is run as it stands there. */
@NullMarked
package dev.tailwater.it.docs;

import org.jspecify.annotations.NullMarked;
