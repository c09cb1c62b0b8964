package dev.tailwater.delivery.merge;

import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where to find the files of streams.
 *
 * @param watched finds a watched file
 * @param names the paths under which files are archived
 */
public record SourceFiles(
    FileCalls calls, Function<FileIdentity, Optional<WatchedFile>> watched, ArchivedNames names) {}
