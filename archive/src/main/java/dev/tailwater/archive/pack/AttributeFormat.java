package dev.tailwater.archive.pack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.VarintReader.MalformedException;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.AttributeCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The encoding of extended attributes: how many, and for each its name and its value. Those of
 * files follow the directories, and are absent if there are none.
 */
final class AttributeFormat {
  /** The lengths of a name and a value, and a byte of the name. */
  private static final int MIN_ATTRIBUTE_BYTES = 3;

  /** An id, and a count, each with a length. */
  private static final int MIN_STATEMENT_BYTES = 1 + StreamId.LENGTH_CHARACTERS + 2;

  private AttributeFormat() {}

  static void write(ExtendedAttributes attributes, VarintWriter out) {
    out.unsigned(attributes.names().size());
    for (String name : attributes.names()) {
      out.text(name.getBytes(ISO_8859_1));
      out.text(attributes.value(name));
    }
  }

  static ExtendedAttributes read(VarintReader in, ItemAllowance allowance)
      throws MalformedException {
    Map<String, byte[]> values = new TreeMap<>();
    int leftBytes = ExtendedAttributes.MAX_BYTES;
    for (int left = allowance.count(in, MIN_ATTRIBUTE_BYTES); left > 0; left--) {
      byte[] name = in.text(AttributeCalls.MAX_NAME_BYTES, "the name of an attribute");
      byte[] value = in.text(AttributeCalls.MAX_VALUE_BYTES, "the value of an attribute");
      leftBytes -= name.length + value.length;
      boolean repeated = values.put(new String(name, ISO_8859_1), value) != null;
      if (leftBytes < 0 || repeated) {
        throw new MalformedException("has too many attributes of one file, or one twice");
      }
    }
    return ExtendedAttributes.of(values);
  }

  static void writeFiles(List<AttributeStatement> files, VarintWriter out) {
    if (files.isEmpty()) {
      return;
    }
    out.unsigned(files.size());
    for (AttributeStatement file : files) {
      out.ascii(file.file().text());
      VarintWriter value = new VarintWriter();
      write(file.attributes(), value);
      out.text(value.toByteArray());
    }
  }

  static List<AttributeStatement> readFiles(VarintReader in, ItemAllowance allowance)
      throws MalformedException {
    List<AttributeStatement> files = new ArrayList<>();
    if (in.remaining() == 0) {
      return files;
    }
    int count = in.count(MIN_STATEMENT_BYTES, "files");
    if (count == 0 || count > PackedTree.MAX_NAMES) {
      throw new MalformedException("has attributes of " + count + " files");
    }
    for (int left = count; left > 0; left--) {
      String id = new String(in.text(StreamId.LENGTH_CHARACTERS, "an id"), US_ASCII);
      VarintReader value =
          new VarintReader(
              in.text(PackDirectoryFormat.MAX_CONTENT_BYTES, "the attributes of a file"));
      files.add(new AttributeStatement(new StreamId(id), read(value, allowance)));
    }
    return files;
  }
}
