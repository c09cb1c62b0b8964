/**
 * How the lab measures: in rounds in which all variants take turns, in JVMs of their own where the
 * compiler matters, with the page cache full or empty, and how what was measured is compared.
 *
 * <p>In come variants as code; out go {@linkplain dev.tailwater.lab.result.Series series}. The
 * experiments call it.
 */
@NullMarked
package dev.tailwater.lab.measure;

import org.jspecify.annotations.NullMarked;
