/**
 * The lab: repeats the measurements of the five articles on this host, shows them, and says what
 * they recommend.
 *
 * <p>A run takes a directory on the mount to be measured and the names of experiments. It returns a
 * {@link dev.tailwater.lab.result.LabResult}, from which a report in HTML and a file in JSON are
 * made. The command line calls it. It writes only below that directory, removes what it wrote, and
 * opens no port.
 */
@NullMarked
package dev.tailwater.lab;

import org.jspecify.annotations.NullMarked;
