/**
 * Draws what is in tables: as SVG that stands in a page, in the page's colours and type.
 *
 * <p>In come tables and how a part of them is to be drawn; out goes text of SVG. The report calls
 * it.
 */
@NullMarked
package dev.tailwater.lab.plot;

import org.jspecify.annotations.NullMarked;
