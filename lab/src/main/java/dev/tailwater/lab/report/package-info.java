/**
 * Formats for the lab's results: a file that a later run reads (JSON), and a page for people.
 *
 * <p>This package takes a {@link dev.tailwater.lab.result.LabResult} and returns bytes of JSON or
 * one self-contained HTML page. The command line calls it. Content that is read from a file is not
 * trusted.
 */
@NullMarked
package dev.tailwater.lab.report;

import org.jspecify.annotations.NullMarked;
