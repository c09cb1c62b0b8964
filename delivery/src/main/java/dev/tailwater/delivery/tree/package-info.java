/**
 * What the archive is told beside files: directories with their modes, symbolic links, and further
 * names of files. One thread for each destination looks at the directories of the sources from time
 * to time, and puts packs that state those that have changed.
 */
@NullMarked
package dev.tailwater.delivery.tree;

import org.jspecify.annotations.NullMarked;
