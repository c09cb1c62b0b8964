/**
 * What an archive tells of the attributes of files, and how files get them back: {@link
 * dev.tailwater.restore.attribute.KnownAttributes} is what is known of one file, and {@link
 * dev.tailwater.restore.attribute.Owners} finds out who its owner is on this machine.
 */
@NullMarked
package dev.tailwater.restore.attribute;

import org.jspecify.annotations.NullMarked;
