package dev.tailwater.cli.command.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.cli.report.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusTextTest {
  private static List<String> lines(String json) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StatusText.print(JsonText.parse(json), new PrintStream(out, true, UTF_8));
    return out.toString(UTF_8).lines().toList();
  }

  @Test
  void tellsWhatARunningAgentDoes() throws IOException {
    assertEquals(
        List.of(
            "agent        web-1 (process 42)",
            "destination  /archive",
            "state        draining",
            "files        3",
            "directories  2 watched by inotify, 1 polled",
            "left out     1 file or directory for lack of memory, 2 symbolic links,"
                + " 1 hard link that others can have made",
            "at risk      nothing",
            "delivered    2.0 KiB in 2 segments of 1.0 KiB since the agent started"),
        lines(
            """
            {"running":true,"phase":"hurry","draining":true,"agent":"web-1","pid":42,
             "destination":"/archive","files":3,"atRiskBytes":0,
             "watching":{"inotifyDirectories":2,"polledDirectories":1,"leftOut":1,
              "symbolicLinks":2,"foreignLinks":1},
             "deliveredBytes":2048,"deliveredSegments":2,"storedBytes":1024}
            """));
  }

  @Test
  void tellsHowLongTheMachineHasOrThatItHasOutlivedItsDeadline() throws IOException {
    List<String> lines =
        lines(
            """
            {"running":true,"phase":"steady","agent":"web-1","files":1,"noticeSources":["file"],
             "notices":[
               {"kind":"termination","leftMillis":22600,"source":"file","text":"a"},
               {"kind":"risk","leftMillis":-1599400,"source":"file","text":"b"},
               {"kind":"pause","source":"file","text":"c"}]}
            """);
    assertEquals(
        List.of(
            "notice     termination, 23 s left: file (a)",
            "notice     risk, its deadline passed 1599 s ago: file (b)",
            "notice     pause: file (c)"),
        lines.stream().filter(line -> line.startsWith("notice")).toList());
  }

  @Test
  void addsUpWhatSeveralDestinationsHaveMerged() throws IOException {
    List<String> lines =
        lines(
            """
            {"running":true,"phase":"steady","agent":"web-1","files":1,
             "destinations":[
               {"name":"/one","required":true,"connected":true,"mergedSegments":3,
                "supersededSegments":20,"mergedBytes":1024,"gatheredSegments":1},
               {"name":"/two","required":false,"connected":false,"mergedSegments":1,
                "supersededSegments":5,"mergedBytes":1024,"notGathered":2}]}
            """);
    assertEquals(
        "merged     25 short segments into 3, and packs into 1 more, with 2.0 KiB of files;"
            + " 2 times the file was gone or had other bytes",
        lines.get(5));
    assertEquals(
        List.of(
            "",
            "AT RISK  DELIVERED  SEGMENTS                                DESTINATION",
            "    0 B        0 B         0  required                      /one",
            "    0 B        0 B         0  best effort, not reached yet  /two"),
        lines.subList(6, lines.size()));
  }

  @Test
  void tellsWhatTheLastRunLeft() throws IOException {
    assertEquals(
        List.of(
            "agent         web-1",
            "destination   /archive",
            "state         not running; this is what the last run left",
            "files         3",
            "at risk       nothing of these files",
            "not compared  1 file; the next start compares with the archive",
            "",
            "problem, 2 times: cannot write",
            "Hint: make room"),
        lines(
            """
            {"running":false,"agent":"web-1","destination":"/archive","files":3,
             "uncomparedFiles":1,
             "problems":[{"times":2,"message":"cannot write","hint":"make room"}]}
            """));
  }
}
