"""Fills the tables of a page from what the last benches left: publish.py BENCHES PAGE

A block of the page stands between <!-- bench: NAME --> and <!-- end -->, and is made from BENCHES/NAME.json. Pictures that the page shows
are copied beside it.
"""
import json
import pathlib
import re
import shutil
import sys


def figures(told, digits):
    return f"{told['median']:,.{digits}f} ({told['least']:,.{digits}f} to {told['most']:,.{digits}f})"


def mib(told):
    return "" if told["ours"] is None else f"{told['ours']:,.0f} / {told['theirs']:,.0f}"


def table(result):
    """A bench's rows, gate and machine, as Markdown."""
    peer = result["peer"].split()[0]
    lines = [f"{result['unit'][0].upper() + result['unit'][1:]}.", "",
             f"| work | regard | {result['peer']} | ratio | MiB, regard / {peer} | |", "|---|---|---|---|---|---|"]
    for row in result["rows"]:
        lines.append(f"| {row['work']} | {figures(row['ours'], 0)} | {figures(row['theirs'], 0)} | "
                     f"**{row['ratio']['median']:.2f}** ({row['ratio']['least']:.2f} to {row['ratio']['most']:.2f}) | "
                     f"{mib(row['mib'])} | {row['settings']} |")
    if result["gates"]:
        lines += ["", "| gate | found | limit |", "|---|---|---|"]
        lines += [f"| {gate['what']}{'' if gate['passed'] else ' **(failed)**'} | {gate['value']:.2g} | {gate['limit']:g} |"
                  for gate in result["gates"]]
    for note in result["notes"]:
        lines += ["", note + "."]
    rates = sorted(probe["fma_gflops"] for probe in result["probes"])
    reads = sorted(probe["read_gb_s"] for probe in result["probes"])
    lines += ["", f"{result['processor']}, {result['probes'][0]['cores']} cores, {result['date']}, at {result['commit']}; during the run FMA "
              f"{rates[0]:.0f} to {rates[-1]:.0f} GFLOP/s, reading {reads[0]:.0f} to {reads[-1]:.0f} GB/s. {told_rounds(result['rows'])}"]
    return lines


def told_rounds(rows):
    """How many rounds count, and how the machine was meanwhile."""
    every, repeated, disturbed = (sum(each) for each in zip(*((len(row["rounds"]), row["repeated"], row["disturbed"]) for row in rows)))
    return f"Rounds that count: {every - repeated}, disturbed all the same: {disturbed}; repeated: {repeated}."


def kernels(text):
    """What bench_kernels printed, shortened to its means."""
    lines = ["| threads | geometric mean of | times oneDNN's speed |", "|---|---|---|"]
    threads = ""
    for line in text.splitlines():
        if found := re.match(r"(\d+) threads?$", line):
            threads = found[1]
        if found := re.match(r"geometric mean, (.*?)\s+([\d.]+)$", line):
            lines.append(f"| {threads} | {found[1]} | {found[2]} |")
    return lines


def block(folder, name):
    text, result = folder / f"{name}.txt", folder / f"{name}.json"
    if text.exists():
        return kernels(text.read_text())
    return table(json.loads(result.read_text())) if result.exists() else None


def main():
    folder, page = map(pathlib.Path, sys.argv[1:])

    def filled(found):
        lines = block(folder, found[1])
        if lines is None:
            print(f"publish: {found[1]} was not measured; its block stays as it is", file=sys.stderr)
            return found[0]
        return "\n".join([f"<!-- bench: {found[1]} -->", *lines, "<!-- end -->"])

    text = page.read_text()
    page.write_text(re.sub(r"<!-- bench: (\w+) -->\n.*?<!-- end -->", filled, text, flags=re.DOTALL))
    for name in re.findall(r"pictures/(\w+\.svg)", text):
        if (folder / name).exists():
            shutil.copy(folder / name, page.parent / "pictures" / name)
    print(f"publish: {page} is filled")


if __name__ == "__main__":
    main()
