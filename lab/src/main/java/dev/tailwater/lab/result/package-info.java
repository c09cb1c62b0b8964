/**
 * The results of the lab as plain records: samples, tables, plots, conclusions, recommendations,
 * and the host on which they were measured.
 *
 * <p>Experiments create the records from their figures; the report draws them, and the JSON file
 * contains them. All packages of the lab use this one; it uses none of them.
 */
@NullMarked
package dev.tailwater.lab.result;

import org.jspecify.annotations.NullMarked;
