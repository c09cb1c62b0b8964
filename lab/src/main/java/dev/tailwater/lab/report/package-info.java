/**
 * Shows what the lab found: as a file that a later run reads (JSON), and as a page for people.
 *
 * <p>In comes a {@link dev.tailwater.lab.result.LabResult}; out go bytes of JSON or one
 * self-contained HTML page. The command line calls it. What is read from a file is not trusted.
 */
@NullMarked
package dev.tailwater.lab.report;

import org.jspecify.annotations.NullMarked;
