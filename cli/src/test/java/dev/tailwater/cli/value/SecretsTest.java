package dev.tailwater.cli.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "encrypt-to AGE-SECRET-KEY-1ABC: no file | encrypt-to AGE-SECRET-KEY-...: no file",
        "/etc/age-secret-key-1abc/x              | /etc/age-secret-key-.../x",
        "s3://key:secret@bucket/logs             | s3://...@bucket/logs",
        "s3://key:sec/ret@bucket/logs            | s3://...@bucket/logs",
        "s3://secret@bucket                      | s3://...@bucket",
        "at http://a:b@c and http://d:e@f        | at http://...@c and http://...@f",
        "/home/file:/u:secret@host               | /home/file:/...@host",
      })
  void masksKeysAndUsers(String text, String shown) {
    assertEquals(shown, Secrets.mask(text));
  }

  @ParameterizedTest
  @CsvSource({
    "age1gfpyysjz",
    "s3://bucket/a@b",
    "http://host:8080/a@b",
    "/var/log/a:b@c",
    "mail me@host",
    "file:///archive/a@b/x",
    "secret-key of this age"
  })
  void leavesAllElseAlone(String text) {
    assertEquals(text, Secrets.mask(text));
  }
}
