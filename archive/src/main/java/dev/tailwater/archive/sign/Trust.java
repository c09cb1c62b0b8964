package dev.tailwater.archive.sign;

import dev.tailwater.archive.NotAuthenticException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whose signatures a reader accepts: everybody's and none, or those of some keys. Immutable and
 * thread-safe.
 */
public final class Trust {
  private static final Trust NONE = new Trust(false, Set.of(), Map.of(), Map.of());
  private static final String COMPACTOR = "compactor";

  private final boolean checked;
  private final Set<VerifyingKey> ofAnyAgent;
  private final Map<String, Set<VerifyingKey>> byAgent;
  private final Map<VerifyingKey, String> compactors;

  private Trust(
      boolean checked,
      Set<VerifyingKey> ofAnyAgent,
      Map<String, Set<VerifyingKey>> byAgent,
      Map<VerifyingKey, String> compactors) {
    this.checked = checked;
    this.ofAnyAgent = ofAnyAgent;
    this.byAgent = byAgent;
    this.compactors = compactors;
  }

  /** Accepts everything, and checks nothing. */
  public static Trust none() {
    return NONE;
  }

  /** Accepts what one key has signed, as whatever agent. */
  public static Trust of(VerifyingKey key) {
    return new Trust(true, Set.of(key), Map.of(), Map.of());
  }

  /**
   * Parses a file of keys. A line is {@code AGENT KEY} or {@code compactor NAME KEY}; an agent may
   * have several keys. Empty lines and those that begin with {@code #} are skipped.
   *
   * @throws IllegalArgumentException if a line is malformed, or there is no key
   */
  public static Trust parse(String fileName, String content) {
    Trust parsed = parseAny(fileName, content);
    if (parsed.byAgent.isEmpty()) {
      throw new IllegalArgumentException(fileName + ": there is no key of an agent in this file");
    }
    return parsed;
  }

  /**
   * Parses a file of keys as the other method does; there may be none of an agent.
   *
   * @throws IllegalArgumentException if a line is malformed, or there is no key at all
   */
  public static Trust parseAny(String fileName, String content) {
    Map<String, Set<VerifyingKey>> agents = new LinkedHashMap<>();
    Map<VerifyingKey, String> compactors = new LinkedHashMap<>();
    int number = 0;
    for (String line : content.split("\n", -1)) {
      number++;
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      List<String> words = List.of(text.split("\\s+"));
      Optional<VerifyingKey> key = VerifyingKey.parse(words.getLast());
      boolean compactor = words.size() == 3 && words.getFirst().equals(COMPACTOR);
      if (key.isEmpty() || !(words.size() == 2 || compactor)) {
        throw new IllegalArgumentException(
            fileName
                + ", line "
                + number
                + ": expected 'AGENT "
                + VerifyingKey.PREFIX
                + "…' or 'compactor NAME "
                + VerifyingKey.PREFIX
                + "…'");
      }
      if (compactor) {
        compactors.put(key.get(), words.get(1));
      } else {
        agents.computeIfAbsent(words.getFirst(), _ -> new LinkedHashSet<>()).add(key.get());
      }
    }
    if (agents.isEmpty() && compactors.isEmpty()) {
      throw new IllegalArgumentException(fileName + ": there is no key in this file");
    }
    return new Trust(true, Set.of(), agents, compactors);
  }

  /** Returns the same, which also accepts what one key has signed, as whatever agent. */
  public Trust with(VerifyingKey key) {
    Set<VerifyingKey> keys = new LinkedHashSet<>(ofAnyAgent);
    keys.add(key);
    return new Trust(true, keys, byAgent, compactors);
  }

  /** Returns whether signatures are checked at all. */
  public boolean isChecked() {
    return checked;
  }

  /** Returns the agents that are named with a key. */
  public List<String> agents() {
    return List.copyOf(byAgent.keySet());
  }

  /**
   * Returns whether merged packs that a key signs are accepted, those of one agent or of each that
   * is named.
   */
  public boolean acceptsMerged(VerifyingKey key, Optional<String> agent) {
    List<String> of = agent.map(List::of).orElseGet(this::agents);
    boolean ofEach =
        !of.isEmpty() && of.stream().allMatch(one -> accepted(one, Kind.MERGED).contains(key));
    return !checked || ofAnyAgent.contains(key) || compactors.containsKey(key) || ofEach;
  }

  /** What is signed, and by whom it may be. */
  public enum Kind {
    /** What only the agent itself writes. */
    OF_AGENT,
    /** What a compactor may write as well. */
    MERGED
  }

  /**
   * Accepts an object, or throws. Accepts everything if nothing is {@linkplain #isChecked checked}.
   *
   * @param key the key of the object, for messages
   * @param agent the agent whose object it is
   * @param statement what the signature must say of the object
   * @throws NotAuthenticException if no key that may sign the object has signed it
   */
  public void require(
      String key, String agent, Kind kind, Optional<ObjectSignature> signature, Statement statement)
      throws NotAuthenticException {
    if (!checked) {
      return;
    }
    if (signature.isEmpty()) {
      throw new NotAuthenticException(key, true, "it is not signed");
    }
    List<VerifyingKey> accepted = accepted(agent, kind);
    for (VerifyingKey one : accepted) {
      if (signature.get().isOf(statement, one)) {
        return;
      }
    }
    String keyId = signature.get().keyId();
    boolean known = accepted.stream().anyMatch(one -> one.id().equals(keyId));
    throw new NotAuthenticException(
        key,
        false,
        known
            ? "it was altered after it was signed, or put under another name"
            : accepted.isEmpty()
                ? "there is no trusted key of the agent " + agent
                : "it was signed with the key " + keyId + "…, which is not trusted for " + agent);
  }

  /** Accepts a record, as the other method does. */
  public void requireRecord(String key, String agent, byte[] json) throws NotAuthenticException {
    if (!checked) {
      return;
    }
    Optional<RecordSignature.Signed> signed = RecordSignature.find(json);
    require(
        key,
        agent,
        Kind.OF_AGENT,
        signed.map(RecordSignature.Signed::signature),
        RecordSignature.statement(
            key, signed.map(RecordSignature.Signed::digest).orElseGet(() -> new byte[0])));
  }

  private List<VerifyingKey> accepted(String agent, Kind kind) {
    List<VerifyingKey> keys = new ArrayList<>(ofAnyAgent);
    keys.addAll(byAgent.getOrDefault(agent, Set.of()));
    if (kind == Kind.MERGED) {
      keys.addAll(compactors.keySet());
    }
    return keys;
  }
}
