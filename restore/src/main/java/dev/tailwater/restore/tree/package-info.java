/**
 * What an archive tells beside the bytes of files: directories, symbolic links, further names and
 * extended attributes, without what files have replaced since.
 */
@NullMarked
package dev.tailwater.restore.tree;

import org.jspecify.annotations.NullMarked;
