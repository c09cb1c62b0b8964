/**
 * What the lab found, as plain records: samples, tables, plots, conclusions, recommendations, and
 * the host they were measured on.
 *
 * <p>In come figures of the experiments; out go the records, which the report draws and the JSON
 * file holds. Everybody in the lab uses it; it uses nothing of the lab.
 */
@NullMarked
package dev.tailwater.lab.result;

import org.jspecify.annotations.NullMarked;
