package dev.tailwater.cli.probe;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.contract.Check;
import dev.tailwater.destination.contract.CheckPlace;
import dev.tailwater.destination.contract.Contract;
import dev.tailwater.destination.contract.ContractViolationException;
import dev.tailwater.destination.contract.Deviation;
import dev.tailwater.destination.contract.Permission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The test of every sentence of the contract, each in a place of its own. */
final class PromiseStep {
  private final Scratch scratch;
  private final boolean quick;
  private final Set<Permission> granted;
  private final Runnable each;
  private int places;

  PromiseStep(Scratch scratch, boolean quick, Set<Permission> granted, Runnable each) {
    this.scratch = scratch;
    this.quick = quick;
    this.granted = granted;
    this.each = each;
  }

  List<Finding> run() throws InterruptedException {
    List<Finding> findings = new ArrayList<>();
    for (Check check : Contract.checks()) {
      findings.add(finding(check));
      each.run();
    }
    return findings;
  }

  private Finding finding(Check check) throws InterruptedException {
    String name = check.toString();
    if (check.isLengthy() && quick) {
      return Finding.skipped(Step.PROMISE, name, "left out by --quick");
    }
    Set<Permission> missing = EnumSet.allOf(Permission.class);
    missing.retainAll(check.needs());
    missing.removeAll(granted);
    if (!missing.isEmpty()) {
      return Finding.skipped(
          Step.PROMISE, name, "needs the permission to " + Words.permissions(missing));
    }
    if (check.isLengthy() && !granted.contains(Permission.DELETE)) {
      return Finding.skipped(Step.PROMISE, name, "would leave much behind that cannot be deleted");
    }
    Finding finding = tried(check, Set.of());
    if (finding.verdict() == Verdict.UNKNOWN) {
      finding = tried(check, Set.of());
    }
    if (finding.verdict() == Verdict.WRONG && !check.touches().isEmpty()) {
      return deviating(check, finding);
    }
    return finding;
  }

  /** Repeats a check that failed with its harmless deviations allowed. */
  private Finding deviating(Check check, Finding strict) throws InterruptedException {
    if (tried(check, check.touches()).verdict() != Verdict.OK) {
      return strict;
    }
    String meaning =
        check.touches().stream().map(Deviation::meaning).sorted().collect(Collectors.joining("; "));
    return Finding.of(Step.PROMISE, check.toString(), Verdict.NOTE, strict.found(), meaning, "");
  }

  private Finding tried(Check check, Set<Deviation> deviations) throws InterruptedException {
    places++;
    String name = "check-" + places;
    int longest =
        Math.clamp(
            scratch.longestKeyBytes(name), CheckPlace.LONG_KEY_BYTES, ObjectKeys.MAX_KEY_BYTES);
    try {
      check.run(CheckPlace.of(() -> scratch.open(name), deviations).withLongestKeyBytes(longest));
      return Finding.ok(Step.PROMISE, check.toString(), "");
    } catch (InterruptedException | StoppedException e) {
      throw e;
    } catch (ContractViolationException e) {
      return problem(check, Verdict.WRONG, e.getMessage(), "");
    } catch (DestinationException e) {
      Verdict verdict = e.permanent() ? Verdict.WRONG : Verdict.UNKNOWN;
      return problem(check, verdict, e.getMessage(), e.finalHint());
    } catch (Exception e) {
      return problem(check, Verdict.WRONG, Words.failure(e), "");
    } finally {
      scratch.clean(name);
    }
  }

  private static Finding problem(Check check, Verdict verdict, String found, String remedy) {
    Finding finding =
        Finding.of(Step.PROMISE, check.toString(), verdict, found, check.consequence(), remedy);
    return check.isVital() ? finding.thatIsVital() : finding;
  }
}
