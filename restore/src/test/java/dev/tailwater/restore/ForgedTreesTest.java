package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.tree.ArchivedTree;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Packs of directories and links that somebody else has changed, replaced, or removed. */
class ForgedTreesTest extends RestoreFixture {
  @Test
  void whateverIsDoneToPacksOfDirectoriesIsNamedByVerify() {
    rounds(
        4,
        (random, target) -> {
          for (int attack = 0; attack < 6; attack++) {
            SignedArchive signed = new SignedArchive(random);
            List<String> trees = signed.treePacks("web-1");
            String key = trees.get(random.nextInt(trees.size()));
            byte[] object = signed.read(key);
            switch (attack) {
              case 0 -> signed.put(key, bytes("rubbish"));
              case 1 -> signed.put(key, Arrays.copyOf(object, object.length + 1));
              case 2 -> signed.put(key, Arrays.copyOf(object, object.length - 1));
              case 3 -> signed.put(key, signed.read(signed.treePacks("web-2").getFirst()));
              case 4 -> signed.archive.destination.delete(key);
              default -> {
                TestArchive forging = new TestArchive(signed.archive.destination);
                forging
                    .with(new Codec.Zstd(1), signed.recipients)
                    .signedBy(SignedArchive.signer(SignedArchive.ATTACKER));
                new TestTrees(forging, "web-1", 5_000_000_000L, signed.recipients)
                    .say(new TestTrees.Directory("/web-1").link("link", "/etc/passwd"))
                    .deliver(true, 1_700_000_005_000L);
              }
            }
            ReadOptions options = signed.options(SignedArchive.trust());
            VerifyReport report = signed.verified(options);
            boolean named = !options.authenticity().findings().isClean();
            assertTrue(named || report.outcome() == Outcome.PARTIAL, attack + ": " + key);
            assertTrue(attack == 4 || !report.trees().isEmpty(), attack + ": " + key);
            // Without keys, what is damaged is found all the same.
            VerifyReport unchecked = signed.verified(signed.options(Trust.none()));
            assertTrue(attack > 3 || unchecked.outcome() == Outcome.PARTIAL, attack + ": " + key);
          }
        });
  }

  @Test
  void aForgedPackAmongThoseOfDirectoriesHidesNoneOfThem() throws IOException {
    SignedArchive signed = new SignedArchive(new Random(3));
    String first = signed.treePacks("web-1").get(1);
    PackName name = PackName.parse(first, PackName.Folder.TREE).orElseThrow();
    PackName before = new PackName(name.id(), 1, name.encrypted(), PackName.Folder.TREE);
    signed.put(before.key(), bytes("not signed, and in front of the other one"));
    ReadOptions options = signed.options(SignedArchive.trust());
    ArchivedTree tree =
        ArchivedTree.read(
                new SegmentSource(signed.archive.destination, options),
                signed.archive.index(options))
            .getFirst();
    DirectoryStatement.Contents told =
        Objects.requireNonNull(tree.directories().get(PosixPath.of("/web-1")));
    assertEquals(PosixPath.of("to2"), told.links().getFirst().target());
    assertEquals(0700, mode(tree, "/web-1/empty"));
  }

  private static int mode(ArchivedTree tree, String path) {
    return Objects.requireNonNull(tree.directories().get(PosixPath.of(path)))
        .attributes()
        .permissions();
  }
}
