/** The names of restored files in the target directory, and what two files may not share. */
@NullMarked
package dev.tailwater.restore.name;

import org.jspecify.annotations.NullMarked;
