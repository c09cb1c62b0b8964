/**
 * Reports on stores that are not as they were written: which ranges of which files are damaged, and
 * what that means for keys. Values only; tools of both modes make them, users and the command line
 * read them.
 */
@NullMarked
package dev.tailwater.store.damage;

import org.jspecify.annotations.NullMarked;
