package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.OwnerNames;
import dev.tailwater.delivery.time.Clocks;
import java.time.Duration;

/**
 * How files are observed.
 *
 * @param names the paths under which files are archived
 * @param owners names the owners of files
 * @param goneGrace how long a file without a watched name must be quiet before its stream ends
 * @param maxDescriptors how many files may be open at once
 * @param filesInMemory how many files stay in memory if they have nothing at risk
 * @param mostInMemory how many files may be in memory at once
 * @param isBoundByDescriptors whether these would be more if more could be open
 * @param tellsNamesAtOnce whether a new name is recorded before what has the old one is read; it
 *     costs nothing where it travels in a pack
 * @param maxNameless with so many files without a name, no more files are opened before the watch
 *     has looked: the bound on names does not cover these
 */
public record ObserverSettings(
    ArchivedNames names,
    OwnerNames owners,
    Duration goneGrace,
    int maxDescriptors,
    int filesInMemory,
    int mostInMemory,
    boolean isBoundByDescriptors,
    boolean tellsNamesAtOnce,
    int maxNameless,
    Clocks clocks) {}
