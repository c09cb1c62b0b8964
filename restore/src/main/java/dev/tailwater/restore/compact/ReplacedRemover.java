package dev.tailwater.restore.compact;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.merge.PackInput;
import dev.tailwater.archive.merge.PackMerge;
import dev.tailwater.archive.name.PackCover;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.compact.StoredPacks.Group;
import dev.tailwater.restore.compact.StoredPacks.Listed;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Rewrites packs that nothing was merged with, where they hold bytes that were replaced long enough
 * ago. That can be done to the last pack of a group that has ended: the new pack takes one number
 * more, which no agent will use, and so covers the old one. What must stay elsewhere is counted.
 * For one thread.
 */
final class ReplacedRemover {
  private final StoredPacks packs;
  private final EndedGroups ended;
  private final CompactOptions options;
  private final CompactCount count;
  private final GroupJoiner.Replacement replacement;

  ReplacedRemover(
      StoredPacks packs,
      EndedGroups ended,
      CompactOptions options,
      CompactCount count,
      GroupJoiner.Replacement replacement) {
    this.packs = packs;
    this.ended = ended;
    this.options = options;
    this.count = count;
    this.replacement = replacement;
  }

  /**
   * Rewrites packs.
   *
   * @param groups all of them, in their order, as they are now
   */
  void remove(Map<Group, List<Listed>> groups) throws IOException {
    List<Group> inOrder = List.copyOf(groups.keySet());
    for (int i = 0; i < inOrder.size(); i++) {
      Group group = inOrder.get(i);
      if (ended.isOld(group)) {
        Optional<Group> next =
            i + 1 < inOrder.size() ? Optional.of(inOrder.get(i + 1)) : Optional.empty();
        boolean hasEnded =
            next.isPresent()
                && ended.hasEnded(group, next.get(), groups.getOrDefault(next.get(), List.of()));
        remove(groups.getOrDefault(group, List.of()), hasEnded);
      }
    }
  }

  private void remove(List<Listed> listed, boolean hasEnded) throws IOException {
    Set<PackName> superseded =
        PackCover.superseded(listed.stream().map(Listed::name).collect(Collectors.toSet()));
    int last = listed.stream().mapToInt(pack -> pack.name().id().last()).max().orElse(0);
    for (Listed pack : listed) {
      if (superseded.contains(pack.name())) {
        continue;
      }
      try {
        StoredPack opened = packs.open(pack);
        long replacedBytes =
            PackMerge.replacedBytes(opened.opened().directory(), options.replacedByMillis());
        boolean isLast = hasEnded && pack.name().id().last() == last;
        if (replacedBytes > 0 && !(isLast && rewrite(opened))) {
          count.replacedBytesLeft += replacedBytes;
        }
      } catch (NoSuchObjectException e) {
        // Merged just now.
      } catch (ArchiveException e) {
        count.damages.add(Damage.of(e));
      }
    }
  }

  /** Rewrites a pack; false if it stays as it is. */
  private boolean rewrite(StoredPack pack) throws IOException {
    boolean encrypted = pack.name().encrypted();
    boolean maySeal =
        (!encrypted || !options.recipients().isEmpty())
            && (!pack.opened().isSigned() || options.signer().isPresent());
    if (!maySeal
        || pack.objectBytes() > PackChunks.MOST_BYTES
        || pack.opened().directory().rawBytes() > PackChunks.MOST_RAW_BYTES
        || pack.name().id().last() == PackId.MAX_SEQUENCE) {
      return false;
    }
    Optional<SealedPack> rewritten = Optional.empty();
    if (!options.dryRun()) {
      byte[] object = packs.readWhole(pack);
      Optional<PackMerge> merge =
          PackMerge.alone(
              new PackInput(pack.opened(), object), pack.carried(), options.replacedByMillis());
      if (merge.isEmpty()) {
        return false;
      }
      SealedPack made =
          merge
              .get()
              .sorting(Compactor.SORTED_BYTES)
              .seal(replacement.sealer(encrypted), () -> {}, Optional.empty());
      replacement.put(made);
      replacement.remove(pack.name());
      rewritten = Optional.of(made);
    }
    count.merge(List.of(pack), rewritten);
    return true;
  }
}
