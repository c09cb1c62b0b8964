package dev.tailwater.delivery.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class FactsTest {
  private static final FileIdentity FILE =
      new FileIdentity(0x801, 77, OptionalLong.of(5), OptionalLong.of(1_700_000_000L));
  private static final PosixPath FIRST = PosixPath.of("/log/first");
  private static final PosixPath SECOND = PosixPath.of("/log/second");

  private final Facts facts = new Facts(FIRST);

  /** What is said is this: which record it is said with does not matter here. */
  private Description describe(PosixPath path) {
    StreamRecord record =
        new StreamRecord(
            StreamId.of("agent", FILE, 0),
            FIRST,
            List.of(new StreamRecord.KnownPath(path, 1_000, OptionalLong.empty())),
            Optional.empty(),
            0,
            0600,
            1,
            false,
            Optional.empty());
    return new Description(record, List.of(), path, facts.count(), facts.corrections(path));
  }

  @Test
  void aFactThatComesUpWhileOthersAreSaidIsSaidNext() {
    facts.comeUp();
    Description first = describe(FIRST);
    facts.comeUp();
    facts.described(first);
    assertTrue(facts.isUndescribed(FIRST));
    facts.described(describe(FIRST));
    assertFalse(facts.isUndescribed(FIRST));
  }

  @Test
  void anotherPathIsAFactUntilTheFileHasTheRecordedOneAgain() {
    assertTrue(facts.isUndescribed(SECOND));
    assertFalse(facts.isPlaceTold(SECOND));
    assertFalse(facts.isUndescribed(FIRST));
    facts.described(describe(SECOND));
    assertFalse(facts.isUndescribed(SECOND));
    assertTrue(facts.isUndescribed(FIRST));
  }

  @Test
  void thePlaceOfAFileThatCameBackIsToldWithTheFactsUntilThen() {
    facts.comeUp();
    facts.cameBack();
    assertFalse(facts.isPlaceTold(FIRST));
    Description back = describe(FIRST);
    facts.comeUp();
    facts.described(back);
    assertTrue(facts.isPlaceTold(FIRST), "the fact that came up later is no place");
    assertTrue(facts.isUndescribed(FIRST));
  }

  @Test
  void noCheckpointSaysThatTheRecordOfAnEmptyFileIsThereBeforeItIsWritten() {
    facts.described(describe(FIRST));
    assertTrue(facts.recorded(true).described());
    facts.emptySince(5);
    assertFalse(facts.recorded(true).described());
    assertTrue(facts.isEmptySince(5));
    assertFalse(facts.isEmptySince(6));
    facts.described(describe(FIRST));
    assertTrue(facts.recorded(true).described());
  }

  @Test
  void headersMustBeCorrectedUnlessARecordStandsAboveThem() {
    facts.unknownHeaders();
    assertTrue(facts.isUndescribed(FIRST));
    facts.described(describe(FIRST));
    facts.unknownHeaders();
    assertFalse(facts.isUndescribed(FIRST));
  }

  @Test
  void anUnknownRecordIsCorrectedInAllThatItMaySay() {
    facts.unknownRecord();
    assertTrue(facts.isUndescribed(FIRST));
    assertEquals(new Description.Corrections(false, true, true), facts.corrections(FIRST));
  }

  @Test
  void readersWhoTakeALiveStreamForEndedMustBeTold() {
    facts.archiveSays(SECOND, true, false, OptionalLong.empty());
    assertTrue(facts.isUndescribed(SECOND));
    assertEquals(new Description.Corrections(false, true, false), facts.corrections(SECOND));
  }

  @Test
  void readersWhoKnowAllAreToldNothing() {
    facts.archiveSays(SECOND, false, true, OptionalLong.of(5));
    assertFalse(facts.isUndescribed(SECOND));
    assertTrue(facts.isEmptySince(5));
    assertEquals(new Checkpoint.Recorded(SECOND, true), facts.recorded(true));
  }

  @Test
  void aCheckpointSaysThatSomethingMustStillBeSaid() {
    facts.comeUp();
    assertFalse(facts.recorded(true).complete());
    Description description = describe(FIRST);
    facts.comeUp();
    facts.described(description);
    assertFalse(facts.recorded(true).complete());
    facts.described(describe(FIRST));
    assertTrue(facts.recorded(true).complete());
  }

  @Test
  void aCheckpointNeedNotSayThatWhereItTellsWhat() {
    facts.emptySince(5);
    assertTrue(facts.isUndescribed(FIRST));
    assertTrue(facts.recorded(true).complete());
  }

  @Test
  void aCheckpointSaysWhetherTheEndWasTold() {
    facts.ended();
    assertFalse(facts.recorded(true).complete());
    facts.described(describe(FIRST));
    assertTrue(facts.recorded(true).complete());
  }
}
