package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.name.ContestedPath;
import dev.tailwater.restore.read.LockedStreams;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/** Warnings that an archive, or a part of it, cannot be trusted or read. */
public final class TrustWarnings {
  private final PrintStream err;

  public TrustWarnings(PrintStream err) {
    this.err = err;
  }

  /** Prints a line for each place that two streams claim. */
  public void printContested(List<ContestedPath> contested) {
    for (ContestedPath one : contested) {
      err.println(
          EscapedPath.of(one.path())
              + ": contested: "
              + one.claimant()
              + ", first seen as "
              + EscapedPath.of(one.claimantBirthPath())
              + ", claims what stream "
              + one.holder()
              + " has, of which no end is known; restore calls it "
              + EscapedPath.of(one.place()));
    }
    if (!contested.isEmpty()) {
      err.println(
          "Hint: look at both with 'tailwater cat DESTINATION STREAM' before you use either");
    }
  }

  /** Prints one line for all streams that no identity opens. */
  public void printLocked(Optional<LockedStreams> locked) {
    if (locked.isPresent()) {
      err.println("tailwater: " + locked.get().sentence());
      err.println("Hint: --identity FILE must hold the private key of one of the recipients");
    }
  }

  /** Prints a line for each object that is not what it should be, and is of no single stream. */
  public void printObjects(List<Damage> objects) {
    for (Damage one : objects) {
      err.println("tailwater: " + Printable.line(one.key() + ": " + one.why()));
    }
  }

  /** Prints one line for all segments that were refused. */
  public void printRefused(ArchiveIndex index) {
    if (!index.isPlainRefused()) {
      return;
    }
    long segments = 0;
    long streams = 0;
    for (ArchivedStream stream : index.streams()) {
      segments += stream.refused().size();
      streams += stream.refused().isEmpty() ? 0 : 1;
    }
    if (segments > 0) {
      err.println(
          "tailwater: "
              + Count.of(segments, "segment")
              + " of "
              + Count.of(streams, "file")
              + " refused: not encrypted, and --identity was given");
      err.println(
          "Hint: if this archive was not encrypted from its beginning, --allow-plain takes them");
    }
  }

  /** Writes {@code contested}, and {@code lockedStreams} if there are any. */
  public static void write(
      JsonGenerator json, List<ContestedPath> contested, Optional<LockedStreams> locked)
      throws IOException {
    json.writeArrayFieldStart("contested");
    for (ContestedPath one : contested) {
      json.writeStartObject();
      json.writeStringField("agent", one.agent());
      ArchiveJson.path(json, "path", one.path());
      json.writeStringField("holder", one.holder().text());
      ArchiveJson.path(json, "holderPath", one.holderPath());
      json.writeStringField("claimant", one.claimant().text());
      ArchiveJson.path(json, "claimantBirthPath", one.claimantBirthPath());
      ArchiveJson.path(json, "place", one.place());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (locked.isPresent()) {
      json.writeNumberField("lockedStreams", locked.get().streams());
    }
  }
}
