package dev.tailwater.cli.config;

import dev.tailwater.delivery.pack.PackUse;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table of what can be set about {@code ship}: each line is an option, a key of the
 * configuration file and a row of the reference. Sources are not in it, since they have a shape of
 * their own.
 */
public enum ShipKey {
  AGENT(
      "NAME",
      null,
      "the host name",
      "Name of this agent. At the destination, all names of its objects begin with it."),
  STATE(
      "DIR",
      null,
      "$STATE_DIRECTORY, else $XDG_STATE_HOME/tailwater, else ~/.local/state/tailwater",
      "Directory for checkpoints and the control socket; one agent per directory."),
  DESTINATION(
      "URI",
      null,
      "none, must be given",
      "Where the archive lives: /dir or file:///dir, or the URI of a plug-in such as"
          + " s3://bucket/prefix."),
  BANDWIDTH(
      "RATE",
      null,
      "no limit",
      "The most that is sent to each destination, except during a drain: 10MiB/s, or by"
          + " the time of day '08:00-18:00 2MiB/s, 10MiB/s'."),
  COMPRESS(
      "CODEC",
      "zstd:1",
      null,
      "zstd:LEVEL, gzip:LEVEL or store (no compression, still a zstd file)."),
  ENCRYPT_TO(
      "RECIPIENT",
      null,
      "not encrypted",
      "age public key (age1...) or a file of them, one per line. Can be given several" + " times."),
  CONTENT_CHECK(
      "WHAT",
      "on",
      null,
      "on or off: whether each encrypted segment states a check of its content, by which an agent"
          + " that lost its state finds out which files it has delivered."),
  CONTENT_CHECK_KEY_FILE(
      "FILE",
      null,
      "a random key in the state directory",
      "File of 32 secret bytes under which these checks are made. Kept outside of the state"
          + " directory, it survives the loss of the state. Several agents can have the same."),
  SIGNING(
      "WHAT",
      "on",
      null,
      "on or off: whether everything that is delivered is signed, so that a reader with --trust"
          + " tells what this agent has written from what somebody else has."),
  SIGNING_KEY_FILE(
      "FILE",
      null,
      "a key in the state directory, made at the first start",
      "File of the key to sign with, as 'tailwater keygen --signing' makes one. Kept outside of the"
          + " state directory, it survives the loss of the state, and the agent then believes only"
          + " what is signed of what the archive says that it has delivered."),
  TRUSTED_KEYS(
      "FILE",
      null,
      "the agent's own key only",
      "File of public keys that the agent believes as its own when it lost its state: a line"
          + " 'AGENT KEY' for an earlier key of the agent, 'compactor NAME KEY' for each compactor, as"
          + " 'restore --trust' reads it."),
  PACKS(
      "WHAT",
      "auto",
      null,
      "on, off or auto: whether ranges that fill no segment travel together in packs, one for each"
          + " max_age, instead of one segment for each file. auto: as soon as "
          + PackUse.FOR_MANY_FILES.leastFiles()
          + " files have bytes within max_age, or there is something else to say of "
          + PackUse.FOR_MANY_FILES.leastTold()
          + ", except where compress is gzip, or what is encrypted has no content_check."),
  MAX_AT_RISK(
      "SIZE,DURATION",
      null,
      "no bound",
      "The most that may be lost: how many bytes may be undelivered, and for how long;"
          + " 64MiB,5s or one of the two. The agent reads earlier to keep the bound, and"
          + " reports when it cannot."),
  MAX_AGE(
      "DURATION",
      null,
      "three quarters of the age in max_at_risk, else what suits the destination: 1s"
          + " for a directory, 5s for S3, the longest of several",
      "Longest time that a byte waits for its segment to fill up."),
  SEGMENT_SIZE(
      "SIZE",
      "8MiB",
      null,
      "Size at which a segment is cut, 1MiB to 64MiB. If it is not set, at most an"
          + " eighth of the bytes in max_at_risk."),
  MERGE_TO(
      "SIZE",
      null,
      "what suits the destination: 64MiB, 128MiB for HDFS",
      "Size up to which short segments are merged, 64KiB to 1GiB of a file's bytes, or" + " off."),
  KEEP_REVISIONS(
      "TIME",
      "all",
      null,
      "What to keep of bytes that were replaced in their file, when packs are merged: all, none,"
          + " or those that were replaced within this time, for example 7d."),
  DRAIN_DEADLINE("DURATION", "25s", null, "How long a drain may take after SIGTERM or SIGINT."),
  NOTICES(
      "SOURCE",
      null,
      "auto",
      "Who announces that this machine goes away: auto (the cloud it runs in), off,"
          + " ec2, gce, azure, file:PATH, http://HOST/PATH or command:LINE. Can be given"
          + " several times."),
  WORKERS(
      "N", "1", null, "Threads that read, compress and encrypt, for each destination, 1 to 64."),
  NEIGHBOUR(
      "SETTINGS",
      null,
      "nice=10,scheduling=batch,io-priority=best-effort:7,cpu-limit=off,pressure=on",
      "How the agent makes room for other programs, except during a drain: nice level 0"
          + " to 19; scheduling normal, batch or idle; io-priority none, idle or"
          + " best-effort:0 to 7; cpu-limit in processors, 50% or 0.5; pressure on, off, or"
          + " the share of time that others may wait, cpu:20%+io:30%+memory:10%. off: not at"
          + " all."),
  RECONCILE(
      "DURATION",
      "60s",
      null,
      "Time between two scans of the whole tree, which find what notifications missed."),
  DELETED_GRACE(
      "DURATION",
      "30s",
      null,
      "How long a deleted file is still read, because a program may have it open."),
  FOREIGN_HARD_LINKS(
      "WHAT",
      "skip",
      null,
      "Whether to skip or ship a hard link that somebody other than the file's owner"
          + " can have made."),
  DIRECTORIES(
      "WHAT",
      "off",
      null,
      "on or off: whether the archive tells directories with their modes, symbolic links, and"
          + " further names of files (hard links), so that a restored tree is complete."),
  EXTENDED_ATTRIBUTES(
      "WHAT",
      "off",
      null,
      "on or off: whether the archive tells extended attributes (xattrs), POSIX ACLs and"
          + " capabilities of files and directories. Includes directories: on.");

  private final String placeholder;
  private final @Nullable String standard;
  private final @Nullable String standardInWords;
  private final String meaning;

  ShipKey(
      String placeholder,
      @Nullable String standard,
      @Nullable String standardInWords,
      String meaning) {
    this.placeholder = placeholder;
    this.standard = standard;
    this.standardInWords = standardInWords;
    this.meaning = meaning;
  }

  /** The key in the configuration file, {@code max_age}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The option on the command line, {@code --max-age}. */
  public String option() {
    return "--" + key().replace('_', '-');
  }

  /** The placeholder for the value in help texts, {@code DURATION}. */
  public String placeholder() {
    return placeholder;
  }

  /** What the setting does, in one sentence. */
  public String meaning() {
    return meaning;
  }

  /** The default, if it can be written as a value. */
  public Optional<String> standard() {
    return Optional.ofNullable(standard);
  }

  /** The default, in words. */
  public String standardForPeople() {
    return standard != null ? standard : String.valueOf(standardInWords);
  }

  /** Whether it can be given several times. */
  public boolean isList() {
    return this == ENCRYPT_TO || this == NOTICES;
  }

  /** Whether its value is a path, or may be one. */
  boolean isPlace() {
    return this == STATE
        || this == DESTINATION
        || this == ENCRYPT_TO
        || this == CONTENT_CHECK_KEY_FILE
        || this == SIGNING_KEY_FILE
        || this == TRUSTED_KEYS;
  }
}
