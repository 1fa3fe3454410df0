"""How: outputs that are links, pipes, devices and descriptors; a full disk by a limit of file sizes; both ways to write
a file that is not whole yet, without a name and with one."""
import gzip
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent.parent))

from holdfast_report import data, files  # noqa: E402
from holdfast_report.trouble import Trouble  # noqa: E402


def only_named(directory, temporary):
    """As on a file system that cannot do without a name."""
    return os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666), True


class FilesTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def in_both_ways(self):
        for way in (files._open_unfinished, only_named):
            with self.subTest(way=way.__name__), mock.patch.object(files, "_open_unfinished", way):
                for path in self.place.iterdir():
                    path.unlink()
                yield

    def names(self):
        return sorted(path.name for path in self.place.iterdir())

    def test_a_plain_file_is_replaced_and_keeps_its_permissions(self):
        for _ in self.in_both_ways():
            path = self.place / "file"
            files.write_whole(path, "one")
            path.chmod(0o604)
            files.write_whole(path, b"two")
            self.assertEqual((path.read_text(), stat.S_IMODE(path.stat().st_mode)), ("two", 0o604))
            self.assertEqual(self.names(), ["file"])

    def test_a_link_stays_a_link(self):
        for _ in self.in_both_ways():
            (self.place / "link").symlink_to("target")
            for text in ("new", "newer"):
                files.write_whole(self.place / "link", text)
                self.assertEqual((self.place / "target").read_text(), text)
            self.assertTrue((self.place / "link").is_symlink())
            self.assertEqual(self.names(), ["link", "target"])

    def test_a_file_that_is_mounted_is_written_over(self):
        (self.place / "source").write_text("a longer text than the one that comes")
        (self.place / "bound").write_text("below")
        script = ("import os, sys; sys.path.insert(0, sys.argv[1])\n"
                  "from holdfast_report import files\n"
                  "files.write_whole('bound', 'after')")
        mounting = ["unshare", "--mount", "sh", "-c", 'mount --bind source bound && exec "$@"', "sh"]
        if subprocess.run([*mounting, "true"], cwd=self.place, capture_output=True).returncode != 0:
            self.skipTest("nothing may be mounted here")
        subprocess.run([*mounting, sys.executable, "-c", script, str(Path(__file__).parent.parent)],
                       cwd=self.place, check=True)
        self.assertEqual((self.place / "source").read_text(), "after")
        self.assertEqual((self.place / "bound").read_text(), "below")
        self.assertEqual(self.names(), ["bound", "source"])

    def test_a_file_that_may_be_written_in_a_directory_that_may_not_is_written_over(self):
        closed = self.place / "closed"
        closed.mkdir()
        (closed / "old").write_text("before")
        (closed / "old").chmod(0o666)
        closed.chmod(0o555)
        self.addCleanup(closed.chmod, 0o755)
        script = ("import sys; sys.path.insert(0, sys.argv[1])\n"
                  "from holdfast_report import files\n"
                  "from holdfast_report.trouble import Trouble\n"
                  "files.write_whole('old', 'after')\n"
                  "try:\n"
                  "    files.write_whole('new', 'x')\n"
                  "except Trouble as trouble:\n"
                  "    print(trouble)")
        # Root is kept out as others are once it has given up this right.
        kept_out = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
        told = subprocess.run([*kept_out, sys.executable, "-c", script, str(Path(__file__).parent.parent)],
                              cwd=closed, check=True, capture_output=True, text=True)
        self.assertEqual(told.stdout, "cannot write new: Permission denied\n")
        self.assertEqual((closed / "old").read_text(), "after")
        self.assertEqual(stat.S_IMODE((closed / "old").stat().st_mode), 0o666)

    def test_what_unpacks_to_more_than_a_bound_is_one_sentence(self):
        (self.place / "zipped").write_bytes(gzip.compress(b"x" * 600) + gzip.compress(b"y" * 400))
        with mock.patch.object(files, "_most_unpacked_bytes", 1000):
            self.assertEqual(files.read_bytes(self.place / "zipped"), b"x" * 600 + b"y" * 400)
        with mock.patch.object(files, "_most_unpacked_bytes", 999), self.assertRaises(Trouble) as trouble:
            files.read_bytes(self.place / "zipped")
        self.assertIn("zipped: it unpacks to more than", str(trouble.exception))

    def test_a_device_and_a_pipe_are_written_to_as_they_are(self):
        (self.place / "nowhere").symlink_to("/dev/null")
        files.write_whole(self.place / "nowhere", "text")
        self.assertTrue((self.place / "nowhere").is_symlink() and Path("/dev/null").is_char_device())
        os.mkfifo(self.place / "pipe")
        read = []
        reader = threading.Thread(target=lambda: read.append((self.place / "pipe").read_text()))
        reader.start()
        files.write_whole(self.place / "pipe", "text")
        reader.join()
        self.assertEqual(read, ["text"])
        self.assertTrue((self.place / "pipe").is_fifo())

    def test_a_descriptor_of_ours_is_written_behind_what_went_there(self):
        with open(self.place / "file", "wb", buffering=0) as file:
            file.write(b"one ")
            files.write_whole(f"/dev/fd/{file.fileno()}", "two")
        self.assertEqual((self.place / "file").read_text(), "one two")

    def test_a_full_disk_is_a_sentence_and_leaves_the_old_file(self):
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        try:
            for _ in self.in_both_ways():
                (self.place / "file").write_text("old")
                resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
                with self.assertRaisesRegex(Trouble, "cannot write .*/file: File too large"):
                    files.write_whole(self.place / "file", "x" * 100_000)
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)
                self.assertEqual((self.names(), (self.place / "file").read_text()), (["file"], "old"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, ignored)

    def test_what_is_no_plain_file_is_not_read(self):
        os.mkfifo(self.place / "pipe")
        for path in (self.place / "pipe", self.place, "/dev/zero"):
            with self.assertRaisesRegex(Trouble, "it is no plain file"):
                files.read_bytes(path)
        (self.place / "torn.gz").write_bytes(b"\x1f\x8b\x08\x00" + b"\xff" * 50)
        with self.assertRaises(Trouble):
            files.read_bytes(self.place / "torn.gz")

    def test_a_name_that_no_file_can_have_is_a_sentence(self):
        self.assertFalse(files.is_file(self.place / ("x" * 5000)))
        self.assertFalse(files.is_file("a\0b"))
        with self.assertRaisesRegex(Trouble, "is no directory"):
            data.load("x" * 5000)
        with self.assertRaisesRegex(Trouble, '"lock" is longer than'):
            data.Field({"lock": "x" * 5000}, "matrix.json").name("lock")


if __name__ == "__main__":
    unittest.main()
