package dev.tailwater.archive.pack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.VarintReader.MalformedException;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The encoding of what a pack says of directories: 1 if the whole tree is told with it, how many
 * statements, and for each its path and its value; then the extended attributes of files. A reader
 * ignores what follows the fields of a value.
 */
final class TreeFormat {
  private static final int MAX_NAME_BYTES = 255;
  private static final int MAX_PATH_BYTES = 4096;

  /** Longer than any statement that fits the content of a directory. */
  private static final int MAX_VALUE_BYTES = PackDirectoryFormat.MAX_CONTENT_BYTES;

  private static final int GONE = 0;
  private static final int THERE = 1;

  /** A length and a byte. */
  private static final int MIN_NAME_BYTES = 2;

  /** Name, target, owner, time. */
  private static final int MIN_LINK_BYTES = 2 + 2 + 1 + 1;

  private static final int LINK_MODE = 0777;

  private final OwnerTable owners;
  private final long sealedAtNanos;
  private final ItemAllowance names = new ItemAllowance(PackedTree.MAX_NAMES, "names");
  private final ItemAllowance extended = new ItemAllowance(PackedTree.MAX_ATTRIBUTES, "attributes");

  TreeFormat(OwnerTable owners, long sealedAtMillis) {
    this.owners = owners;
    this.sealedAtNanos = TimeUnit.MILLISECONDS.toNanos(sealedAtMillis);
  }

  /** Adds the owners that will be written. */
  static void addOwners(PackedTree tree, OwnerTable owners) {
    for (DirectoryStatement directory : tree.directories()) {
      if (directory.there().isPresent()) {
        owners.add(directory.there().get().attributes().owner());
        directory.there().get().links().forEach(link -> owners.add(link.attributes().owner()));
      }
    }
  }

  void write(PackedTree tree, VarintWriter out) {
    out.unsigned(tree.whole() ? 1 : 0);
    out.unsigned(tree.directories().size());
    for (DirectoryStatement directory : tree.directories()) {
      out.text(directory.path());
      VarintWriter value = new VarintWriter();
      value.unsigned(directory.there().isPresent() ? THERE : GONE);
      directory.there().ifPresent(there -> write(there, value));
      out.text(value.toByteArray());
    }
    AttributeFormat.writeFiles(tree.files(), out);
  }

  private void write(DirectoryStatement.Contents there, VarintWriter out) {
    out.unsigned(there.attributes().permissions());
    owners.writeNumber(there.attributes().owner(), out);
    out.signed(sealedAtNanos - there.attributes().modificationTimeNanos());
    out.unsigned(there.directories().size());
    there.directories().forEach(name -> out.text(name));
    out.unsigned(there.links().size());
    for (DirectoryStatement.Link link : there.links()) {
      out.text(link.name());
      out.text(link.target());
      owners.writeNumber(link.attributes().owner(), out);
      out.signed(sealedAtNanos - link.attributes().modificationTimeNanos());
    }
    out.unsigned(there.furtherNames().size());
    for (DirectoryStatement.FurtherName further : there.furtherNames()) {
      out.text(further.name());
      out.text(further.file());
    }
    if (!there.extended().isEmpty() || !there.furtherNames().isEmpty()) {
      AttributeFormat.write(there.extended(), out);
    }
    for (DirectoryStatement.FurtherName further : there.furtherNames()) {
      out.ascii(further.id().map(StreamId::text).orElse(""));
    }
  }

  PackedTree read(VarintReader in) throws MalformedException {
    boolean whole = in.atMost(1, "a truth value") == 1;
    List<DirectoryStatement> directories = new ArrayList<>();
    for (int left = names.count(in, MIN_NAME_BYTES + MIN_NAME_BYTES); left > 0; left--) {
      PosixPath path = PosixPath.of(in.text(MAX_PATH_BYTES, "the path of a directory"));
      VarintReader value = new VarintReader(in.text(MAX_VALUE_BYTES, "a directory"));
      boolean there = value.atMost(THERE, "whether a directory is there") == THERE;
      directories.add(
          new DirectoryStatement(path, there ? Optional.of(contents(value)) : Optional.empty()));
    }
    return new PackedTree(directories, AttributeFormat.readFiles(in, extended), whole);
  }

  private DirectoryStatement.Contents contents(VarintReader in) throws MalformedException {
    int permissions = (int) in.atMost(07777, "a mode");
    DirectoryStatement.Attributes attributes = attributes(permissions, in);
    List<PosixPath> directories = new ArrayList<>();
    for (int left = names.count(in, MIN_NAME_BYTES); left > 0; left--) {
      directories.add(name(in));
    }
    List<DirectoryStatement.Link> links = new ArrayList<>();
    for (int left = names.count(in, MIN_LINK_BYTES); left > 0; left--) {
      PosixPath name = name(in);
      PosixPath target =
          PosixPath.of(in.text(DirectoryStatement.MAX_TARGET_BYTES, "the target of a link"));
      links.add(new DirectoryStatement.Link(name, target, attributes(LINK_MODE, in)));
    }
    List<DirectoryStatement.FurtherName> further = new ArrayList<>();
    for (int left = names.count(in, 2 * MIN_NAME_BYTES); left > 0; left--) {
      further.add(
          new DirectoryStatement.FurtherName(
              name(in), DirectoryContent.path(in), Optional.empty()));
    }
    ExtendedAttributes extended =
        in.remaining() > 0 ? AttributeFormat.read(in, this.extended) : ExtendedAttributes.NONE;
    if (in.remaining() > 0) { // Earlier writers told no ids.
      for (ListIterator<DirectoryStatement.FurtherName> each = further.listIterator();
          each.hasNext(); ) {
        DirectoryStatement.FurtherName untold = each.next();
        each.set(new DirectoryStatement.FurtherName(untold.name(), untold.file(), id(in)));
      }
    }
    return new DirectoryStatement.Contents(attributes, directories, links, further, extended);
  }

  private static Optional<StreamId> id(VarintReader in) throws MalformedException {
    String text = new String(in.text(StreamId.LENGTH_CHARACTERS, "an id"), US_ASCII);
    return text.isEmpty() ? Optional.empty() : Optional.of(new StreamId(text));
  }

  private DirectoryStatement.Attributes attributes(int permissions, VarintReader in)
      throws MalformedException {
    return new DirectoryStatement.Attributes(
        permissions, owners.readNumber(in), sealedAtNanos - in.signed());
  }

  private static PosixPath name(VarintReader in) throws MalformedException {
    return PosixPath.of(in.text(MAX_NAME_BYTES, "a name"));
  }
}
