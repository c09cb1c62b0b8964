/** The experiment with identities: what it costs to know which file a descriptor or name means. */
@NullMarked
package dev.tailwater.lab.identity;

import org.jspecify.annotations.NullMarked;
