/**
 * Extended attributes of files and directories, POSIX ACLs among them: which of them are kept, and
 * how they are read from a descriptor and given to another file.
 */
@NullMarked
package dev.tailwater.io.attribute;

import org.jspecify.annotations.NullMarked;
