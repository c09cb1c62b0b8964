/**
 * Plots of tables as SVG, which is embedded in a page and uses the page's colours and fonts.
 *
 * <p>This package takes tables, and descriptions of the parts of them to draw, and returns the text
 * of SVG. The report calls it.
 */
@NullMarked
package dev.tailwater.lab.plot;

import org.jspecify.annotations.NullMarked;
