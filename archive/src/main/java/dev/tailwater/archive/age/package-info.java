/**
 * Encryption in the age format (<a href="https://age-encryption.org/v1">age-encryption.org/v1</a>):
 * keys and their files, headers, and payloads.
 */
@NullMarked
package dev.tailwater.archive.age;

import org.jspecify.annotations.NullMarked;
