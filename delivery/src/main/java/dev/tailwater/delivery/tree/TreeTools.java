package dev.tailwater.delivery.tree;

import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.source.OwnDirectories;
import dev.tailwater.delivery.source.SourceSet;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.OwnerNames;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.watch.LookedAtFiles;
import dev.tailwater.destination.Destination;
import dev.tailwater.io.attribute.AttributeReader;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What telling a destination of directories works with.
 *
 * @param agent the agent's name in the archive
 * @param tellsLinks whether symbolic links are told; not where they are followed
 * @param bound behind which groups the agent begins its own
 * @param delivered told each pack that is durable
 * @param further returns the further names of files, by their directories
 * @param attributes collects the files whose extended attributes may be new; empty if these are not
 *     archived
 * @param lookMillis returns the time of a look that begins now, in the order of arrivals
 */
public record TreeTools(
    FileCalls calls,
    String agent,
    SourceSet sources,
    OwnDirectories own,
    boolean tellsLinks,
    ArchivedNames names,
    OwnerNames owners,
    Destination destination,
    Supplier<PackSealer> sealers,
    SecureRandom random,
    GroupBound bound,
    Consumer<PackId> delivered,
    TreeArchiver.Memory memory,
    Supplier<Map<PosixPath, List<DirectoryStatement.FurtherName>>> further,
    Optional<LookedAtFiles> attributes,
    Problems problems,
    Clocks clocks,
    LongSupplier lookMillis) {

  /**
   * Creates what tells the destination.
   *
   * @param threads makes the thread that does
   */
  public TreeArchiver archiver(Function<Runnable, Thread> threads) {
    Optional<AttributeReader> extended = attributes.map(_ -> new AttributeReader(calls));
    DirectoryReader reader =
        new DirectoryReader(
            calls,
            owners,
            sources::hasDirectory,
            path -> tellsLinks && sources.wants(path),
            extended);
    return new TreeArchiver(
        new TreeSurvey(calls, sources.roots(), reader, own::include, names::archived),
        extended.map(of -> new AttributeSurvey(calls, agent, of, attributes.get())),
        new TreePacks(destination, agent, sealers, random, clocks, bound, delivered),
        memory,
        further,
        problems,
        clocks,
        lookMillis,
        threads);
  }
}
