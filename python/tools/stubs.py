"""Writes `consilience/_core.pyi` from the Rust files of the compiled part: signatures, types and doc comments.

    python tools/stubs.py           # writes the file
    python tools/stubs.py --check   # says whether it is what would be written

A test runs the check, and stubtest compares the file with what was compiled.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Optional

HERE = Path(__file__).resolve().parent.parent
RUST = HERE.parent / "crates" / "consilience-python" / "src"
STUB = HERE / "consilience" / "_core.pyi"

HEAD = '''"""The compiled part. Written by tools/stubs.py from the Rust files; do not change it by hand."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Optional, Union, final

import numpy as np
import numpy.typing as npt
'''

NUMBERS = {"i64": "int64", "u64": "uint64", "u32": "uint32", "u8": "uint8", "f64": "float64", "bool": "bool_"}
PLAIN = {
    "bool": "bool",
    "f64": "float",
    "usize": "int",
    "u64": "int",
    "u32": "int",
    "i64": "int",
    "Vote": "int",
    "str": "str",
    "String": "str",
    "PathBuf": "Union[str, PathLike[str]]",
    "Py<PyAny>": "Callable[[int, int], Any]",
    "Bound<PyList>": "list[Any]",
    "Column": "Any",
    "Given": "Union[Texts, npt.NDArray[np.float64]]",
}


def split(text: str) -> list[str]:
    """Split at the commas that stand outside of all brackets."""
    parts, depth, last = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "<([") - (char in ">)]" and text[at - 1] != "-")
        if char == "," and depth == 0:
            parts.append(text[last:at].strip())
            last = at + 1
    return [part for part in [*parts, text[last:].strip()] if part]


def python_type(rust: str, aliases: dict[str, str], own: str, given: bool) -> str:
    """Give the Python type of a Rust one; `given` to the function, or returned by it."""
    rust = re.sub(r"&?'\w+\s*,?\s*|&", "", rust).strip()
    rust = rust.replace("<>", "")
    if rust == "Self":
        return own
    if rust in PLAIN:
        return PLAIN[rust]
    if rust in aliases:
        return f"_{rust}"
    if rust == "()":
        return "None"
    if rust.startswith("("):
        return f"tuple[{', '.join(python_type(part, aliases, own, given) for part in split(rust[1:-1]))}]"
    if fixed := re.fullmatch(r"\[(\w+); \d+\]", rust):
        return f"{'Sequence' if given else 'list'}[{PLAIN[fixed[1]]}]"
    if array := re.fullmatch(r"(?:Bound<PyArray[12]<(\w+)>>|PyReadonlyArray1<(\w+)>)", rust):
        return f"npt.NDArray[np.{NUMBERS[array[1] or array[2]]}]"
    if inner := re.fullmatch(r"(PyResult|Option|Vec)<(.*)>", rust):
        of = python_type(inner[2], aliases, own, given)
        outer = {"PyResult": "{}", "Option": "Optional[{}]", "Vec": "Sequence[{}]" if given else "list[{}]"}[inner[1]]
        return outer.format(of)
    if re.fullmatch(r"[A-Z]\w+", rust):
        return rust
    raise SystemExit(f"no Python type is known for {rust}")


def document(doc: list[str], indent: str) -> list[str]:
    """Give the lines of a doc string."""
    if len(doc) == 1:
        return [f'{indent}"""{doc[0]}"""']
    return [f'{indent}"""{doc[0]}', *(f"{indent}{line}".rstrip() for line in doc[1:]), f'{indent}"""']


class Function:
    """A function as Rust has it."""

    def __init__(self, doc: list[str], attributes: list[str], signature: str) -> None:
        self.doc = doc
        self.attributes = " ".join(attributes)
        signature = re.sub(r"\s+", " ", signature)
        opened = signature.index("(", signature.index("fn "))
        depth, closed = 1, opened
        while depth:
            closed += 1
            depth += (signature[closed] == "(") - (signature[closed] == ")")
        self.name = re.split(r"[<(]", signature.partition("fn ")[2])[0]
        self.arguments = [tuple(part.split(":", 1)) for part in split(signature[opened + 1 : closed])]
        self.returns = signature[closed + 1 :].partition("-> ")[2].strip()

    def stub(self, aliases: dict[str, str], own: Optional[str]) -> list[str]:
        """Give the lines of the stub."""
        indent = "    " if own else ""
        if self.name == "__eq__":
            lines = ["def __eq__(self, value: object, /) -> bool: ...", "def __ne__(self, value: object, /) -> bool: ..."]
            return [indent + line for line in [*lines, "__hash__: None  # type: ignore[assignment]"]]
        name, lines, first = self.name, [], []
        if "#[staticmethod]" in self.attributes:
            lines.append(f"{indent}@staticmethod")
        elif "#[new]" in self.attributes:
            name, first = "__new__", ["cls"]
        elif own:
            first = ["self"]
        if "#[getter]" in self.attributes:
            lines.append(f"{indent}@property")
        defaults = dict(re.findall(r"(\w+)=(\w+)", self.attributes))
        for argument in self.arguments:
            if argument[0].strip() in ("&self", "py"):
                continue
            kind = python_type(argument[1], aliases, own or "", given=True)
            default = defaults.get(argument[0].strip())
            first.append(f"{argument[0].strip()}: {kind}" + (f" = {default}" if default else ""))
        returned = own if name == "__new__" else python_type(self.returns, aliases, own or "", given=False)
        line = f"{indent}def {name}({', '.join(first)}) -> {returned}:"
        if len(line) > 110:
            line = f"{indent}def {name}(\n" + "".join(f"{indent}    {part},\n" for part in first) + f"{indent}) -> {returned}:"
        return [*lines, line, *document(self.doc, indent + "    "), f"{indent}    ..."]


ITEM = re.compile(
    r"(?P<doc>(?:[ \t]*///[^\n]*\n)+)(?P<attributes>(?:[ \t]*#\[(?:[^\[\]]|\[[^\]]*\])*\]\s*\n)+)?"
    r"[ \t]*(?P<item>(?:pub\(crate\) )?(?:struct \w+|fn [^{]*?)) ?\{",
    re.S,
)


def read(text: str) -> tuple[dict[str, list[str]], list[tuple[int, Function]], list[tuple[int, str]]]:
    """Give the classes of a file with their docs, its functions and where they stand, and where each `impl` starts."""
    classes, functions = {}, []
    for found in ITEM.finditer(text):
        doc = [line.strip()[3:].strip() for line in found["doc"].splitlines()]
        attributes = re.findall(r"#\[.*?\]\s*\n", found["attributes"] or "", re.S)
        whole = " ".join(attributes)
        if struct := re.match(r"(?:pub\(crate\) )?struct (\w+)", found["item"]):
            if "pyclass" in whole:
                classes[struct[1]] = doc
        else:
            functions.append((found.start(), Function(doc, attributes, found["item"].strip())))
    impls = [
        (at.start(), at[1] if text[: at.start()].rstrip().endswith("#[pymethods]") else "")
        for at in re.finditer(r"^impl(?:<[^>]*>)? (\w+)", text, re.M)
    ]
    ends = [(text.index("\n}\n", start), "") for start, _ in impls]
    return classes, functions, sorted([*impls, *ends])


def written() -> str:
    """Give the text of the stub."""
    errors = (RUST / "errors.rs").read_text()
    exceptions = re.findall(r'^    (\w+Error): "([^"]+)"', errors, re.M)
    roots = re.findall(r'create_exception!\(consilience\.errors, (\w+), Py(\w+), "([^"]+)"', errors)
    names = ["__version__", *(root[0] for root in roots), *(name for name, _ in exceptions)]
    body = ["__version__: str"]
    for name, base, doc in [*roots, *((name, "ConsilienceError", doc) for name, doc in exceptions)]:
        body += ["", f"class {name}({base}):", f'    """{doc}"""']
    for path in sorted(RUST.glob("*.rs")):
        text = path.read_text()
        aliases = {
            a[1]: re.sub(r"\s+", " ", a[2])
            for a in re.finditer(r"^(?:pub\(crate\) )?type (\w+) =\s+([^;]+(?:; \d+\][^;]*)?);", text, re.M)
        }
        classes, functions, impls = read(text)
        used = "#[pyfunction]" in text or classes
        for name, alias in aliases.items():
            if used:
                body += ["", f"_{name} = {python_type(alias, aliases, '', given=False)}"]
        for name, doc in classes.items():
            names.append(name)
            body += ["", "@final", f"class {name}:", *document(doc, "    ")]
            for at, function in functions:
                if [owner for start, owner in impls if start < at][-1:] == [name]:
                    body += function.stub(aliases, name)
        for _, function in functions:
            if "#[pyfunction]" in function.attributes:
                names.append(function.name)
                body += ["", *function.stub(aliases, None)]
    listed = "".join(f'    "{name}",\n' for name in sorted(names))
    return f"{HEAD}\n__all__ = [\n{listed}]\n" + "\n".join(body) + "\n"


def main() -> int:
    """Write the file, or check it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where the file is out of date")
    text = written()
    if not parser.parse_args().check:
        STUB.write_text(text)
    elif STUB.read_text() != text:
        sys.stderr.write(f"{STUB} is out of date; run python tools/stubs.py\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
