#!/usr/bin/env python3
"""Restores an archive of Tailwater. Written from docs/format.md alone, as a second reader of the format.

    read_archive.py ARCHIVE TARGET [--identity KEYFILE] [--trust KEYS]

ARCHIVE is a directory. Needs the programs zstd and, for encrypted objects, age. Prints how many files, segments, packs
and ranges it has read. With a file of keys, it checks all signatures and receipts, which needs the Python module
cryptography. Ends with 1 and a message as soon as anything is not as the format says.
"""

import argparse
import base64
import hashlib
import json
import os
import re
import struct
import subprocess
import sys

SKIPPABLE = 0x184D2A57
STREAM_ID = r"[0-9a-v]{13}-[0-9a-v]{16}-[0-9a-v]{7}"
SEGMENT = re.compile(
    rf"^(?P<prefix>(?P<agent>[^/]+)/(?P<path>.+)/(?P<stream>{STREAM_ID}))/"
    r"(?P<start>\d{19})-(?P<end>\d{19})\.(?P<kind>zst|gz)(?P<age>\.age)?$"
)
RECEIPT = re.compile(
    r"^(?P<agent>[^/]+)/~receipts/(?P<run>[0-9a-f][0-9a-v]{12}-[0-9a-v]{8})/(?P<first>\d{8})-(?P<last>\d{8})\.json$"
)
LEFT_BEHIND = re.compile(r"^(?P<agent>[^/]+)/~left-behind\.json$")
RECORD = re.compile(rf"^(?P<prefix>(?P<agent>[^/]+)/(?P<path>.+)/(?P<stream>{STREAM_ID}))/stream\.json$")
PACK = re.compile(
    r"^(?P<agent>[^/]+)/(?P<folder>~packs)/(?P<group>[0-9a-f][0-9a-v]{12}-[0-9a-v]{8})/"
    r"(?P<first>\d{6})-(?P<last>\d{6})-(?P<front>\d{8})\.zst(?P<age>\.age)?$"
)


TREE = re.compile(PACK.pattern.replace("~packs", "~tree"))


class Damaged(Exception):
    """The archive is not as the format says."""


def crc32c_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


CRC_TABLE = crc32c_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def require(holds, key, what):
    if not holds:
        raise Damaged(f"{key}: {what}")


def through(command, data):
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise Damaged(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def unzstd(data):
    return through(["zstd", "-d", "-q", "-c"], data)


class Trust:
    """Whose signatures count: a line AGENT KEY, or compactor NAME KEY, for each."""

    def __init__(self, file):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        self.agents = []
        with open(file, encoding="ascii") as lines:
            for line in lines:
                words = line.split()
                if words and not words[0].startswith("#"):
                    raw = base64.b64decode(words[-1].removeprefix("ed25519:") + "=")
                    agent = None if len(words) == 3 else words[0]
                    self.agents.append((agent, raw[:4].hex(), Ed25519PublicKey.from_public_bytes(raw)))

    def require(self, key, subject, at, form, signed, signature, merged=False):
        """Checks the signature (key id, bytes) of the parts whose digest it covers."""
        from cryptography.exceptions import InvalidSignature

        digest = hashlib.sha256(signed).hexdigest()
        text = f"tailwater signature 1\n{subject}\n{at}\n{form} {digest}\n".encode("ascii")
        for agent, key_id, public in self.agents:
            if key_id == signature[0] and (agent == key.split("/")[0] or (agent is None and merged)):
                try:
                    public.verify(signature[1], text)
                    return
                except InvalidSignature:
                    pass
        raise Damaged(f"{key}: no trusted key has signed it")

    def require_age(self, key, subject, data, merged=False):
        lines = data.split(b"\n")
        unsigned, stanza, at = [], None, 0
        while not lines[at].startswith(b"---"):
            first = lines[at]
            if first.startswith(b"-> tailwater-signature "):
                require(stanza is None, key, "it has two signatures")
                stanza, body = first.decode().split(" ")[2:], b""
                while True:
                    at += 1
                    body += lines[at]
                    if len(lines[at]) < 64:
                        break
                stanza.append(base64.b64decode(body + b"=" * (-len(body) % 4)))
            else:
                unsigned.append(first + b"\n")
            at += 1
        require(stanza, key, "it is not signed")
        nonce_at = sum(len(line) + 1 for line in lines[: at + 1])
        signed = b"".join(unsigned) + data[nonce_at : nonce_at + 16]
        self.require(key, subject, stanza[1], "age", signed, (stanza[0], stanza[2]), merged)

    def require_frames(self, key, subject, first, parts, content, merged=False):
        require(len(content) >= 84 and content[:4] == b"TWSG", key, "it is not signed")
        version, count = struct.unpack_from("<HH", content, 4)
        require(version == 1 and len(content) == 84 + 32 * count, key, "the signature has another length")
        digests = [hashlib.sha256(part).digest() for part in parts]
        require(b"".join(digests) == content[84:], key, "it was altered after it was signed")
        at = struct.unpack_from("<q", content, 12)[0]
        signature = content[8:12].hex(), content[20:84]
        self.require(key, subject, at, "frames", first + content[84:], signature, merged)

    def require_record(self, key, data):
        found = re.search(rb',"signature":"([0-9a-f]{8}) (\d+) ([A-Za-z0-9+/]{86})"}$', data)
        require(found, key, "it is not signed")
        signature = found[1].decode(), base64.b64decode(found[3] + b"==")
        self.require(key, key, found[2].decode(), "record", data[: found.start()], signature)


class Fields:
    """The fields of a directory's content."""

    def __init__(self, content):
        self.content = content
        self.at = 0

    def take(self, length):
        if length > len(self.content) - self.at:
            raise Damaged("a field is longer than the content")
        taken = self.content[self.at : self.at + length]
        self.at += length
        return taken

    def left(self):
        return len(self.content) - self.at

    def number(self):
        value = 0
        for shift in range(0, 70, 7):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise Damaged("a number is too long")

    def signed(self):
        value = self.number()
        return -(value >> 1) - 1 if value & 1 else value >> 1

    def text(self):
        return self.take(self.number())

    def count(self):
        count = self.number()
        if count > len(self.content):
            raise Damaged("there cannot be so many")
        return range(count)


class Stream:
    """What is known of one stream."""

    def __init__(self, stream):
        self.stream = stream
        self.birth_path = b""
        self.path = b""
        self.since = 0
        self.arrival = None
        self.mode = 0o644
        self.owner = None
        self.ended_at = None
        self.ranges = []
        self.revisions = []

    def has_ended(self):
        """An end is overtaken where a range has the byte behind it."""
        size = self.ended_at
        return size is not None and not any(start <= size < start + len(data) for start, data in self.ranges)

    def bytes(self):
        held = b""
        for start, data in sorted(self.ranges, key=lambda found: (found[0], -len(found[1]))):
            if start > len(held):
                raise Damaged(f"{self.stream}: bytes {len(held)} to {start} are missing")
            agreed = held[start : start + len(data)]
            if data[: len(agreed)] != agreed:
                raise Damaged(f"{self.stream}: two ranges do not agree on the bytes that they share")
            held += data[len(agreed) :]
        for _, start, data in sorted(self.revisions):
            require(start + len(data) <= len(held), self.stream, "bytes behind the end are replaced")
            held = held[:start] + data + held[start + len(data) :]
        return held


class Archive:
    def __init__(self, root, identity, trust):
        self.root = root
        self.identity = identity
        self.trust = trust
        self.streams = {}
        self.tree = {}
        self.attributes = {}
        self.segments = 0
        self.packs = 0
        self.packed_ranges = 0

    def keys(self):
        found = []
        for directory, _, names in os.walk(self.root):
            for name in names:
                found.append(os.path.relpath(os.path.join(directory, name), self.root))
        return sorted(found)

    def content(self, key):
        with open(os.path.join(self.root, key), "rb") as file:
            return file.read()

    def plain(self, key, encrypted, subject, merged=False):
        data = self.content(key)
        if not encrypted:
            return data
        if self.trust:
            self.trust.require_age(key, subject, data, merged)
        require(self.identity, key, "it is encrypted, and there is no identity")
        return through(["age", "-d", "-i", self.identity], data)

    def stream(self, stream):
        return self.streams.setdefault(stream, Stream(stream))

    def check_records(self):
        """All records have signatures, and all that receipts name is there."""
        keys = self.keys()
        packs = [match for key in keys if (match := PACK.match(key))]
        segments = [match for key in keys if (match := SEGMENT.match(key))]
        for key in keys:
            if RECORD.match(key) or LEFT_BEHIND.match(key) or RECEIPT.match(key) or key.endswith(".gap"):
                self.trust.require_record(key, self.content(key))
            if match := RECEIPT.match(key):
                receipt = json.loads(self.content(key))
                for entry in receipt["packs"]:
                    group, last = entry.split(" ")
                    held = set()
                    for pack in packs:
                        if (pack["agent"], pack["group"]) == (match["agent"], group):
                            held.update(range(int(pack["first"]), int(pack["last"]) + 1))
                    require(held.issuperset(range(int(last) + 1)), key, f"packs of the group {group} are missing")
                for entry in receipt["ranges"]:
                    prefix, *ranges = entry.split(" ")
                    for wanted in ranges:
                        at, end = map(int, wanted.split("-"))
                        for segment in segments:  # In the order of their offsets.
                            start = int(segment["start"])
                            if segment["prefix"] + "/" == prefix and start <= at:
                                at = max(at, int(segment["end"]))
                        require(at >= end, key, f"bytes of {prefix} are missing")

    def read(self):
        if self.trust:
            self.check_records()
        groups = {}
        expected = {}
        packs = [(key, match) for key in self.keys() if (match := PACK.match(key))]
        packs.sort(key=lambda pack: (pack[1]["agent"], pack[1]["group"], pack[1]["first"], -int(pack[1]["last"]), pack[0]))
        for key, match in packs:
            group = match["agent"], match["group"]
            if int(match["last"]) < expected.get(group, 0):
                continue  # A merged pack holds it.
            require(int(match["first"]) <= expected.get(group, 0), key, "an earlier pack of its group is missing")
            expected[group] = int(match["last"]) + 1
            self.read_pack(key, match, groups.setdefault(group, {}))
        self.read_trees()
        for key in self.keys():
            if match := SEGMENT.match(key):
                self.read_segment(key, match)
        for key in self.keys():
            if match := RECORD.match(key):
                self.read_record(key, match)

    def read_trees(self):
        """Of each agent, the last group that has stated its whole tree counts."""
        groups = {}
        for key in self.keys():
            if match := TREE.match(key):
                groups.setdefault((match["agent"], match["group"]), []).append((int(match["first"]), key, match))
        trees = {}
        for (agent, _), packs in sorted(groups.items()):
            tree, attributes, is_whole = {}, {}, False
            for expected, (number, key, match) in enumerate(sorted(packs, key=lambda pack: pack[0])):
                if number != expected:
                    break
                whole, directories, files = self.read_pack(key, match, {})
                tree.update(directories)
                attributes.update(files)
                is_whole = is_whole or whole
            if is_whole:
                trees[agent] = tree, attributes
        for tree, attributes in trees.values():
            self.attributes.update(attributes)
            self.tree.update({path: said for path, said in tree.items() if said and self.is_named(path, tree)})

    @staticmethod
    def is_named(path, tree):
        parent, _, name = path.rpartition(b"/")
        parent = parent or b"/"
        if path == b"/" or parent not in tree:
            return True
        said = tree[parent]
        return said is not None and name in said[3] and Archive.is_named(parent, tree)

    def read_segment(self, key, match):
        subject = f"{match['prefix']}/{match['start']}-{match['end']}"
        data = self.plain(key, match["age"], subject)
        if self.trust and not match["age"]:
            gzip = match["kind"] == "gz"
            length = struct.unpack_from("<H", data, 14)[0] + 26 if gzip else 8 + struct.unpack_from("<I", data, 4)[0]
            tail = len(data) - (116 + 16 + 10 if gzip else 116 + 8)
            content = data[tail + 16 : -10] if gzip else data[tail + 8 :]
            self.trust.require_frames(key, subject, data[:length], [data[length:tail]], content)
        if match["kind"] == "zst":
            magic, length = struct.unpack_from("<II", data)
            require(magic == SKIPPABLE, key, "it does not begin with a segment header")
            header = data[8 : 8 + length]
            raw = unzstd(data)
        else:
            header = data[16 : 16 + struct.unpack_from("<H", data, 14)[0]]
            raw = through(["gzip", "-d", "-c"], data)
        require(header[:4] == b"TWSH", key, "it has no segment header")
        start, end, _, _, mode, crc, agent, stream, path = struct.unpack_from("<QQqqIIBBH", header, 8)
        require(crc32c(header[:-4]) == struct.unpack("<I", header[-4:])[0], key, "the header's checksum is wrong")
        at = 52 + agent
        require(header[at : at + stream].decode() == match["stream"], key, "the header is of another stream")
        require((start, end) == (int(match["start"]), int(match["end"])), key, "the header has another range")
        require(len(raw) == end - start and crc32c(raw) == crc, key, "the bytes are not those of the header")
        of = self.stream(match["stream"])
        of.ranges.append((start, raw))
        of.path = of.path or header[at + stream : at + stream + path]
        of.birth_path = of.birth_path or of.path
        of.mode = mode
        additions = self.additions_in(header[at + stream + path : -4])
        if 2 in additions:
            value = additions[2]
            user, group, user_length, group_length = struct.unpack_from("<IIBB", value)
            names = value[10 : 10 + user_length], value[10 + user_length : 10 + user_length + group_length]
            of.owner = user, group, *names
        if 3 in additions and header[at + stream : at + stream + path] == of.path:
            require(len(additions[3]) >= 8, key, "the arrival is too short")
            of.arrival = struct.unpack_from("<q", additions[3])[0]
        self.segments += 1

    @staticmethod
    def additions_in(content):
        additions = {}
        while content:
            kind, length = struct.unpack_from("<HH", content)
            additions[kind], content = content[4 : 4 + length], content[4 + length :]
        return additions

    def read_record(self, key, match):
        with open(os.path.join(self.root, key), "rb") as file:
            record = json.load(file)
        require(record["stream"] == match["stream"], key, "it is about another stream")
        of = self.stream(match["stream"])
        last = (record.get("paths") or [{}])[-1].get("arrival_nanos")
        if of.arrival is not None and last is not None and of.arrival > last:
            pass  # Packs describe a later path.
        elif record.get("paths"):
            of.path = record["paths"][-1]["path"].encode()
            of.since = record["paths"][-1]["since_millis"]
            of.arrival = record["paths"][-1].get("arrival_nanos")
        of.birth_path = of.birth_path or record["birth_path"].encode()
        of.path = of.path or of.birth_path
        of.ended_at = record["end"]["size_bytes"] if "end" in record else None
        if owner := record.get("owner"):
            of.owner = owner["uid"], owner["gid"], owner["user"].encode(), owner["group"].encode()

    def read_pack(self, key, match, numbers):
        subject = f"{match['agent']}/{match['folder']}/{match['group']}/{match['first']}-{match['last']}"
        merged = match["first"] != match["last"]
        plain = self.plain(key, match["age"], subject, merged)
        magic, length = struct.unpack_from("<II", plain)
        require(magic == SKIPPABLE, key, "it does not begin with a directory")
        directory = plain[8 : 8 + length]
        word, version, method, content_length = struct.unpack_from("<4sHHI", directory)
        require(word == b"TWPK" and version <= 2, key, "it has no directory of version 2")
        require(crc32c(directory[:-4]) == struct.unpack("<I", directory[-4:])[0], key, "the checksum is wrong")
        content = directory[12:-4] if method == 0 else unzstd(directory[12:-4])
        require(len(content) == content_length, key, "the content has another length")
        fields = Fields(content)
        said = fields.text().decode(), fields.text().decode(), fields.number(), fields.number()
        first, last = int(match["first"]), int(match["last"])
        require(said == (match["agent"], match["group"], first, last - first), key, "it is of another pack")
        sealed_at = fields.signed()
        raw_lengths = [0 for _ in fields.count()]
        raw_lengths = [fields.number() for _ in raw_lengths]
        encoded_lengths = [fields.number() for _ in raw_lengths]
        units_at = 8 + length if match["age"] else int(match["front"])
        require(units_at + sum(encoded_lengths) == len(plain), key, "the units have another length")
        if self.trust and not match["age"]:
            units, at = [], units_at
            for size in encoded_lengths:
                units.append(plain[at : at + size])
                at += size
            frame = plain[8 + length + 8 : units_at]
            self.trust.require_frames(key, subject, plain[: 8 + length], units, frame, merged)
        owners = [None] + [(fields.number(), fields.number(), fields.text(), fields.text()) for _ in fields.count()]
        self.read_descriptions(fields, numbers, sealed_at, owners)
        ranges = self.read_ranges(fields)
        with_range = {number for number, *_ in ranges} if first == last else set()
        self.read_facts(key, fields, numbers, with_range)
        tree = self.read_directories(fields, owners)
        require(fields.at == len(content), key, "there is something behind the directories")
        raw = unzstd(plain)
        require(len(raw) == sum(raw_lengths) == sum(size for _, _, size, _, _ in ranges), key, "lengths do not add up")
        at = 0
        for number, start, size, revision, crc in ranges:
            require(number in numbers, key, f"no pack describes the stream {number}")
            data = raw[at : at + size]
            require(crc32c(data) == crc, key, f"the range at {at} has another checksum")
            if revision == 0:
                numbers[number].ranges.append((start, data))
            else:
                numbers[number].revisions.append((revision, start, data))
            at += size
            self.packed_ranges += 1
        self.packs += 1
        return tree

    def read_descriptions(self, fields, numbers, sealed_at, owners):
        described = []
        before = -1
        for _ in fields.count():
            before += 1 + fields.number()
            described.append(before)
        streams = [self.stream(fields.text().decode()) for _ in described]
        for stream in streams:
            stream.birth_path = fields.text()
            path = fields.text() or stream.birth_path
            if path != stream.path:
                stream.since = sealed_at if path != stream.birth_path else stream.since
                stream.path = path
        for number, stream in zip(described, streams):
            stream.mode = fields.number()
            numbers[number] = stream
        for stream in streams:
            stream.owner = owners[fields.number()] or stream.owner
        arrival = 0
        for stream in streams:
            arrival = (arrival + fields.signed() + 2**63) % 2**64 - 2**63
            stream.arrival = arrival or None

    @staticmethod
    def read_directories(fields, owners):
        whole = fields.number() == 1
        found = []
        for _ in fields.count():
            path, value = fields.text(), Fields(fields.text())
            if value.number() == 0:
                found.append((path, None))
                continue
            mode, owner, age = value.number(), owners[value.number()], value.signed()
            inside = [value.text() for _ in value.count()]
            links = [(value.text(), value.text(), owners[value.number()], value.signed()) for _ in value.count()]
            further = [(value.text(), value.text()) for _ in value.count()]
            extended = Archive.read_attributes(value) if value.left() else {}
            ids = [value.text().decode() if value.left() else "" for _ in further]
            further = [(name, first, file) for (name, first), file in zip(further, ids)]
            found.append((path, (mode, owner, age, inside, links, further, extended)))
        files = []
        if fields.left():
            files = [(fields.text().decode(), Archive.read_attributes(Fields(fields.text()))) for _ in fields.count()]
        return whole, found, files

    @staticmethod
    def read_attributes(value):
        return {value.text(): value.text() for _ in value.count()}

    @staticmethod
    def read_ranges(fields):
        numbers = []
        before = 0
        for _ in fields.count():
            before += fields.signed()
            numbers.append(before)
        starts = [fields.number() for _ in numbers]
        lengths = [fields.number() for _ in numbers]
        for _ in numbers:
            fields.signed()  # The time of sealing less the file's mtime.
        revisions = [fields.number() for _ in numbers]
        for _ in numbers:
            fields.number()  # How much older the range is than the pack.
        checksums = [struct.unpack("<I", fields.take(4))[0] for _ in numbers]
        return list(zip(numbers, starts, lengths, revisions, checksums))

    @staticmethod
    def read_facts(key, fields, numbers, with_range):
        for _ in fields.count():
            number, kind, value = fields.number(), fields.number(), Fields(fields.text())
            require(number in numbers, key, f"no pack describes the stream {number}")
            stream = numbers[number]
            if kind == 2:
                stream.path, stream.since, stream.arrival = value.text(), value.signed(), None
            elif kind == 4:
                stream.mode = value.number() if number not in with_range else stream.mode
            elif kind == 6:
                stream.ended_at = (value.number(), value.number())[1]
            elif kind == 8:
                stream.ended_at = None
            else:
                require(kind % 2 == 0, key, f"a fact of the unknown kind {kind} changes the meaning")

    def restore(self, target):
        latest = {}
        for stream in self.streams.values():
            if stream.arrival is not None:
                latest[stream.path] = max(stream.arrival, latest.get(stream.path, stream.arrival))
        chosen = {}
        for stream in self.streams.values():
            other = chosen.get(stream.path)
            if other is None or self.rank(stream, latest) > self.rank(other, latest):
                chosen[stream.path] = stream
        entries = self.entries_of_trees()
        places = {}
        for path, stream in chosen.items():
            if path in entries and not self.rank(stream, latest)[0]:
                continue  # Something else is there now.
            places[stream.stream] = path
            place = os.path.join(os.fsencode(target), path.lstrip(b"/"))
            if b".." in path.split(b"/"):
                raise Damaged(f"a path that leads elsewhere: {path!r}")
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(stream.bytes())
            self.give(place, self.attributes.get(stream.stream[:30] + "-0000000", {}))
            os.chmod(place, stream.mode & 0o777)
        self.restore_tree(os.fsencode(target), places)
        return len(chosen)

    def entries_of_trees(self):
        entries = set(self.tree)
        for path, (_, _, _, _, links, further, _) in self.tree.items():
            entries.update(os.path.join(path, name) for name, *_ in links + further)
        return entries

    def file_of(self, first, file, places):
        """Where the file of a further name was restored, which may be at another path by now."""
        if not file:
            return first
        last = max((stream for stream in self.streams if stream[:30] == file[:30]), default=None)
        return places.get(last)

    def restore_tree(self, target, places):
        """Directories, links and further names; modes of directories last, the innermost first."""
        for path, (_, _, _, _, links, further, _) in self.tree.items():
            place = os.path.join(target, path.lstrip(b"/"))
            os.makedirs(place, exist_ok=True)
            for name, first, file in further:
                path = self.file_of(first, file, places)
                if path is None:
                    raise Damaged(f"the file of {name!r} is not restored, which was archived as {first!r}")
                os.link(os.path.join(target, path.lstrip(b"/")), os.path.join(place, name))
            for name, link, *_ in links:
                os.symlink(link, os.path.join(place, name))
        for path in sorted(self.tree, key=len, reverse=True):
            place = os.path.join(target, path.lstrip(b"/"))
            self.give(place, self.tree[path][6])
            os.chmod(place, self.tree[path][0] & 0o777)

    @staticmethod
    def give(place, attributes):
        """Extended attributes; capabilities would need the owner, which this reader does not set."""
        for name, value in attributes.items():
            if name != b"security.capability":
                os.setxattr(place, name, value)

    @staticmethod
    def rank(stream, latest):
        has_left = stream.arrival is not None and stream.arrival < latest[stream.path]
        return not (stream.has_ended() or has_left), stream.arrival or 0, stream.since, stream.stream


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archive")
    parser.add_argument("target")
    parser.add_argument("--identity")
    parser.add_argument("--trust")
    options = parser.parse_args()
    archive = Archive(options.archive, options.identity, options.trust and Trust(options.trust))
    try:
        archive.read()
        files = archive.restore(options.target)
    except Damaged as damage:
        print(damage, file=sys.stderr)
        return 1
    print(f"files={files} segments={archive.segments} packs={archive.packs} ranges={archive.packed_ranges}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
