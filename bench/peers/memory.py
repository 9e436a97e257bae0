"""Memory of this process in MiB. Not getrusage: that also counts what the parent held before it started this program."""
import re


def status_mib(key):
    with open("/proc/self/status") as file:
        return int(re.search(rf"^{key}:\s+(\d+) kB", file.read(), re.MULTILINE)[1]) / 1024


def resident_mib():
    return status_mib("VmRSS")


def peak_mib():
    return status_mib("VmHWM")
