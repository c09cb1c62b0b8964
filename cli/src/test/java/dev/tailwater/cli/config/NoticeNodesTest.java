package dev.tailwater.cli.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.command.UserCommand;
import dev.tailwater.delivery.hook.HookMoment;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Notices and hooks in the configuration file and on the command line. */
class NoticeNodesTest {
  private static final Path DIRECTORY = Path.of("/etc/tailwater");
  private static final String GOOD = "sources: [/var/log]\ndestination: /mnt/archive\n";

  private static NoticeSettings settings(String yaml) {
    ConfigFile.Result result = ConfigFile.read(GOOD + yaml, DIRECTORY);
    assertEquals(List.of(), result.problems());
    return result.settings().build().notices();
  }

  private static List<String> problems(String yaml) {
    return ConfigFile.read(GOOD + yaml, DIRECTORY).problems().stream()
        .map(problem -> problem.line() - 2 + ": " + problem.message())
        .toList();
  }

  @Test
  void readsEveryKindOfSource() {
    assertEquals(List.of(), settings("").sources());
    assertEquals(List.of(new NoticeSetting.Off()), settings("notices: off").sources());
    assertEquals(
        List.of(
            new NoticeSetting.Auto(),
            new NoticeSetting.Cloud(NoticeSetting.Provider.EC2),
            new NoticeSetting.Cloud(NoticeSetting.Provider.GCE),
            new NoticeSetting.Cloud(NoticeSetting.Provider.AZURE_ACKNOWLEDGED),
            new NoticeSetting.File("/run/down", Duration.ofMillis(500)),
            new NoticeSetting.File("/etc/tailwater/down", Duration.ofSeconds(1)),
            new NoticeSetting.Http(
                URI.create("http://localhost:8080/down"),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5)),
            new NoticeSetting.Http(
                URI.create("https://[::1]/x"), Duration.ofSeconds(2), Duration.ofSeconds(1)),
            new NoticeSetting.Command(
                UserCommand.shell("test -e /x", Duration.ofSeconds(5)), Duration.ofSeconds(5)),
            new NoticeSetting.Command(
                new UserCommand(List.of("test", "-e", "/y z"), Duration.ofSeconds(5)),
                Duration.ofMinutes(1))),
        settings(
                """
                notices:
                  - auto
                  - ec2
                  - gce
                  - azure:acknowledge
                  - file:///run/down
                  - {file: down, every: 1s}
                  - http://localhost:8080/down
                  - {http: "https://[::1]/x", every: 2s, limit: 1s}
                  - command:test -e /x
                  - command: [test, -e, /y z]
                    every: 1m
                """)
            .sources());
    assertEquals(
        List.of(new NoticeSetting.File("/etc/tailwater/down", Duration.ofMillis(500))),
        settings("notices: {file: down}").sources());
  }

  @Test
  void readsHooksWithAndWithoutAShell() {
    assertEquals(
        Map.of(
            HookMoment.HURRY,
            UserCommand.shell("kill $(cat x)", Duration.ofSeconds(5)),
            HookMoment.LAST_GASP,
            new UserCommand(List.of("a", "b c"), Duration.ofSeconds(5)),
            HookMoment.SAFE,
            new UserCommand(List.of("a"), Duration.ofSeconds(1)),
            HookMoment.STEADY,
            UserCommand.shell("true", Duration.ofMillis(100))),
        settings(
                """
                hooks:
                  on_hurry: kill $(cat x)
                  on_last_gasp: [a, b c]
                  on_safe: {command: [a], limit: 1s}
                  on_steady: {limit: 100ms, command: "true"}
                """)
            .hooks());
  }

  /** Otherwise the agent would ask nobody, and say so only when it runs. */
  @Test
  void aPortThatThereIsNotIsWrong() {
    List<String> problems = problems("notices: [\"http://h:99999/\", \"https://h:0\"]\n");
    assertEquals(2, problems.size(), problems.toString());
    for (String problem : problems) {
      assertTrue(problem.contains("expected a port from 1 to 65535"), problem);
    }
  }

  @Test
  void namesLineAndKeyOfWhatIsWrong() {
    List<String> problems =
        problems(
            """
            notices:
              - atuo
              - "file:"
              - http:nowhere
              - {file: a, command: b}
              - {every: 1s}
              - {file: a, every: 1}
              - {http: "ftp://x/y"}
              - {command: []}
              - {fiel: a}
              - off
            hooks:
              on_hury: a
              on_safe: {limit: 5s}
              on_steady: []
              on_hurry: {command: a, limit: 0s}
              on_last_gasp: " "
            """);
    assertEquals(15, problems.size(), problems.toString());
    List<String> begin =
        List.of(
            "2: notices: expected auto, off,",
            "3: notices: expected a value",
            "4: notices: expected an address",
            "5: notices: expected one of file, http and command",
            "6: notices: expected one of file, http and command",
            "7: every: expected a duration",
            "8: notices: expected an address",
            "9: notices.command: a command needs a program",
            "10: unknown key 'fiel'",
            "11: notices: expected 'off' alone",
            "13: unknown key 'on_hury'",
            "14: on_safe: a hook needs a command",
            "15: on_steady: a command needs a program",
            "16: limit: expected at least 100ms",
            "17: on_last_gasp: a command needs a program");
    for (int i = 0; i < begin.size(); i++) {
      assertTrue(problems.get(i).startsWith(begin.get(i)), problems.get(i));
    }
  }

  @Test
  void theCommandLineReplacesTheNoticesOfTheFile() {
    ShipSettings.Builder settings =
        ConfigFile.read(GOOD + "notices: auto", DIRECTORY).settings().forgetNotices();
    settings.set(ShipKey.NOTICES, "file:/run/down").set(ShipKey.NOTICES, "ec2");
    assertEquals(2, settings.build().notices().sources().size());
    assertThrows(IllegalArgumentException.class, () -> settings.set(ShipKey.NOTICES, "off"));
  }
}
