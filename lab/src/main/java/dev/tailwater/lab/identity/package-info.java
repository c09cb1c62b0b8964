/**
 * The experiment with identities: the cost of finding out to which file a descriptor or name
 * belongs.
 */
@NullMarked
package dev.tailwater.lab.identity;

import org.jspecify.annotations.NullMarked;
