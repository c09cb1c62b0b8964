package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.pack.DirectoryStatement.Attributes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.tree.ArchivedTree;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The list of the directories, symbolic links and further names of files in an archive. */
public final class TreeText {
  private final List<ArchivedTree> trees;
  private final Predicate<PosixPath> wanted;

  /**
   * Creates a list.
   *
   * @param wanted accepts the path of what is to be listed
   */
  public TreeText(List<ArchivedTree> trees, Predicate<PosixPath> wanted) {
    this.trees = trees;
    this.wanted = wanted;
  }

  /** Whether all that the archive tells could be read. */
  public boolean isWhole() {
    return trees.stream().allMatch(tree -> tree.damages().isEmpty());
  }

  /** Takes what is listed, one after the other. */
  private interface Listing {
    void add(String agent, String type, PosixPath path, Optional<Attributes> has, PosixPath leadsTo)
        throws IOException;
  }

  private void list(Listing listing) throws IOException {
    for (ArchivedTree tree : trees) {
      for (var told : tree.directories().entrySet()) {
        PosixPath path = told.getKey();
        DirectoryStatement.Contents inside = told.getValue();
        String agent = tree.agent();
        if (wanted.test(path)) {
          listing.add(agent, "directory", path, Optional.of(inside.attributes()), PosixPath.EMPTY);
        }
        for (DirectoryStatement.Link link : inside.links()) {
          PosixPath whole = path.resolve(link.name());
          if (wanted.test(whole)) {
            listing.add(agent, "link", whole, Optional.of(link.attributes()), link.target());
          }
        }
        for (DirectoryStatement.FurtherName further : inside.furtherNames()) {
          PosixPath whole = path.resolve(further.name());
          if (wanted.test(whole)) {
            listing.add(agent, "further-name", whole, Optional.empty(), further.file());
          }
        }
      }
    }
  }

  /** Prints the list. */
  public void print(PrintStream out) throws IOException {
    Table table = new Table("TYPE", "MODE", "OWNER", "PATH");
    list(
        (agent, type, path, has, leadsTo) ->
            table.row(
                type.replace('-', ' '),
                has.filter(_ -> type.equals("directory")).map(TreeText::mode).orElse("-"),
                has.flatMap(Attributes::owner).map(TreeText::owner).orElse("-"),
                (trees.size() > 1 ? agent + ":" : "")
                    + EscapedPath.of(path)
                    + (leadsTo.isEmpty() ? "" : " -> " + EscapedPath.of(leadsTo))));
    table.print(out);
  }

  /** Prints the names of the extended attributes of files and directories, if there are any. */
  public void printAttributes(PrintStream out) throws IOException {
    Table table = new Table("EXTENDED ATTRIBUTES", "OF");
    listAttributes(
        (tree, stream, path, has) ->
            table.row(
                Printable.line(String.join(", ", has.names())),
                (trees.size() > 1 ? tree.agent() + ":" : "")
                    + stream.map(StreamId::text).orElseGet(() -> EscapedPath.of(path))));
    if (trees.stream().anyMatch(ArchivedTree::hasAttributes)) {
      out.println();
      table.print(out);
    }
  }

  /** Takes extended attributes, of a directory or of the file of a stream. */
  private interface AttributeListing {
    void add(
        ArchivedTree tree, Optional<StreamId> stream, PosixPath path, ExtendedAttributes attributes)
        throws IOException;
  }

  private void listAttributes(AttributeListing listing) throws IOException {
    for (ArchivedTree tree : trees) {
      for (var told : tree.directories().entrySet()) {
        ExtendedAttributes has = told.getValue().extended();
        if (!has.isEmpty() && wanted.test(told.getKey())) {
          listing.add(tree, Optional.empty(), told.getKey(), has);
        }
      }
      for (var told : new TreeMap<>(tree.attributes()).entrySet()) {
        if (!told.getValue().isEmpty()) {
          listing.add(tree, Optional.of(told.getKey()), PosixPath.EMPTY, told.getValue());
        }
      }
    }
  }

  /** Prints what cannot be read. */
  public void printDamages(PrintStream err) {
    for (ArchivedTree tree : trees) {
      for (Damage damage : tree.damages()) {
        err.println(Printable.sentence(damage.key() + ": " + damage.why()));
      }
    }
  }

  /**
   * Writes the fields {@code tree}, {@code extendedAttributes} (values in base64) and {@code
   * treeDamages} of a JSON document.
   */
  public void write(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("tree");
    list(
        (agent, type, path, has, leadsTo) -> {
          json.writeStartObject();
          json.writeStringField("agent", agent);
          json.writeStringField("type", type);
          ArchiveJson.path(json, "path", path);
          if (!leadsTo.isEmpty()) {
            ArchiveJson.path(json, type.equals("link") ? "target" : "file", leadsTo);
          }
          if (has.isPresent()) {
            writeAttributes(json, has.get());
          }
          json.writeEndObject();
        });
    json.writeEndArray();
    json.writeArrayFieldStart("extendedAttributes");
    listAttributes(
        (tree, stream, path, has) -> {
          json.writeStartObject();
          json.writeStringField("agent", tree.agent());
          if (stream.isPresent()) {
            json.writeStringField("stream", stream.get().text());
          } else {
            ArchiveJson.path(json, "path", path);
          }
          json.writeObjectFieldStart("attributes");
          for (String name : has.names()) {
            json.writeBinaryField(name, has.value(name));
          }
          json.writeEndObject();
          json.writeEndObject();
        });
    json.writeEndArray();
    List<Damage> damages = trees.stream().flatMap(tree -> tree.damages().stream()).toList();
    ArchiveJson.damages(json, "treeDamages", damages);
  }

  private static void writeAttributes(JsonGenerator json, Attributes has) throws IOException {
    json.writeStringField("permissions", mode(has));
    json.writeNumberField("modificationTimeNanos", has.modificationTimeNanos());
    if (has.owner().isPresent()) {
      FileOwner owner = has.owner().get();
      json.writeObjectFieldStart("owner");
      json.writeNumberField("uid", owner.userId());
      json.writeNumberField("gid", owner.groupId());
      json.writeStringField("user", owner.user());
      json.writeStringField("group", owner.group());
      json.writeEndObject();
    }
  }

  private static String mode(Attributes has) {
    return String.format("%04o", has.permissions());
  }

  private static String owner(FileOwner owner) {
    String user = owner.user().isEmpty() ? Long.toString(owner.userId()) : owner.user();
    String group = owner.group().isEmpty() ? Long.toString(owner.groupId()) : owner.group();
    return Printable.line(user + ":" + group);
  }
}
