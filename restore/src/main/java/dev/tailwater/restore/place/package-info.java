/**
 * Files back in a directory: how each is written, resumed and given its name. {@link
 * dev.tailwater.restore.place.Restorer} restores a whole index. Nothing outside the target
 * directory is ever touched, whatever the archive says.
 */
@NullMarked
package dev.tailwater.restore.place;

import org.jspecify.annotations.NullMarked;
