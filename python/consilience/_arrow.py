"""Tables and columns of any Arrow library, by the Arrow C data interface (the `__arrow_c_stream__` capsules).

The buffers are read in place, by ctypes and numpy: no Arrow library is needed on this side, neither in Python nor in the
compiled part.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from consilience import _core


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))),
    ("private_data", ctypes.c_void_p),
]

_NUMBERS = {
    b"c": np.int8,
    b"C": np.uint8,
    b"s": np.int16,
    b"S": np.uint16,
    b"i": np.int32,
    b"I": np.uint32,
    b"l": np.int64,
    b"L": np.uint64,
    b"e": np.float16,
    b"f": np.float32,
    b"g": np.float64,
}
# A short text stands in its view; a longer one in another buffer.
_INLINE = 12


class _Owned:
    """An array that was handed over; it is given back when nothing reads it any more."""

    def __init__(self) -> None:
        self.array = _Array()

    def __del__(self) -> None:
        if self.array.release:
            self.array.release(ctypes.byref(self.array))


@dataclass
class ArrowColumn:
    """One column: numbers (with what they stand for, if they are of a dictionary) or texts; and which are missing."""

    name: str
    numbers: Optional[npt.NDArray[Any]] = None
    missing: Optional[npt.NDArray[np.bool_]] = None
    dictionary: Optional[ArrowColumn] = None
    data: Optional[npt.NDArray[np.uint8]] = None
    offsets: Optional[npt.NDArray[np.int64]] = None
    #: The type, where that holds neither votes nor texts.
    kind: Optional[str] = None

    def first(self, rows: int) -> ArrowColumn:
        """Return the first rows."""
        some = None if self.numbers is None else self.numbers[:rows]
        missing = None if self.missing is None else self.missing[:rows]
        offsets = None if self.offsets is None else self.offsets[: rows + 1]
        return ArrowColumn(self.name, some, missing, self.dictionary, self.data, offsets, self.kind)

    @property
    def is_text(self) -> bool:
        """Whether it holds texts."""
        return self.offsets is not None or (self.dictionary is not None and self.dictionary.is_text)

    def texts(self) -> _core.Texts:
        """Return the column of texts."""
        if self.dictionary is not None and self.numbers is not None:
            entries = self.dictionary.texts().to_list()
            absent = np.zeros(len(self.numbers), dtype=bool) if self.missing is None else self.missing
            return _core.Texts.from_list(
                [None if gone else entries[code] for code, gone in zip(self.numbers.tolist(), absent.tolist())], False
            )
        if self.data is None or self.offsets is None:
            raise TypeError(f'the column "{self.name}" has no texts')
        return _core.Texts.from_arrow(self.data, self.offsets, self.missing)


def is_arrow(data: object) -> bool:
    """Whether `data` offers itself by the Arrow C data interface."""
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")


def _pointer(capsule: object, name: bytes) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype = ctypes.c_void_p
    get.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address: int = get(capsule, name)
    return address


def read(data: Any) -> list[ArrowColumn]:
    """Return the columns of a table, or the one column of an array."""
    if hasattr(data, "__arrow_c_stream__"):
        return _read_stream(data.__arrow_c_stream__())
    schema_capsule, array_capsule = data.__arrow_c_array__()
    schema = _Schema.from_address(_pointer(schema_capsule, b"arrow_schema"))
    handed = _Array.from_address(_pointer(array_capsule, b"arrow_array"))
    owned = _Owned()
    ctypes.memmove(ctypes.byref(owned.array), ctypes.byref(handed), ctypes.sizeof(_Array))
    # Moved: the capsule must not give it back a second time.
    handed.release = type(handed.release)()
    return _columns(schema, owned.array, owned)


def _read_stream(capsule: object) -> list[ArrowColumn]:
    stream = _Stream.from_address(_pointer(capsule, b"arrow_array_stream"))
    schema = _Schema()

    def check(code: int) -> None:
        if code != 0:
            said = stream.get_last_error(ctypes.byref(stream))
            raise ValueError(f"the Arrow stream failed: {(said or b'no reason given').decode(errors='replace')}")

    check(stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)))
    chunks: list[list[ArrowColumn]] = []
    try:
        while True:
            owned = _Owned()
            check(stream.get_next(ctypes.byref(stream), ctypes.byref(owned.array)))
            if not owned.array.release:
                break
            chunks.append(_columns(schema, owned.array, owned))
        if not chunks:
            return _no_rows(schema)
    finally:
        schema.release(ctypes.byref(schema))
    return [_joined(list(parts)) for parts in zip(*chunks)]


def _name(schema: Any) -> str:
    return (schema.name or b"").decode()


def _columns(schema: Any, array: Any, owner: _Owned) -> list[ArrowColumn]:
    if schema.format != b"+s":
        return [_column(schema, array, owner, 0, array.length)]
    return [
        _column(schema.children[j].contents, array.children[j].contents, owner, array.offset, array.length)
        for j in range(schema.n_children)
    ]


def _no_rows(schema: Any) -> list[ArrowColumn]:
    fields = [schema.children[j].contents for j in range(schema.n_children)] if schema.format == b"+s" else [schema]
    return [ArrowColumn(_name(field), numbers=np.empty(0, dtype=np.int64)) for field in fields]


def _buffer(array: Any, number: int, dtype: Any, count: int, owner: _Owned) -> npt.NDArray[Any]:
    address = array.buffers[number]
    if count == 0 or not address:
        return np.empty(0, dtype=dtype)
    memory: Any = (ctypes.c_uint8 * (count * np.dtype(dtype).itemsize)).from_address(address)
    # The view holds the memory's object, and that the array it belongs to.
    memory.owner = owner
    return np.frombuffer(memory, dtype=dtype)


def _bits(array: Any, number: int, first: int, count: int, owner: _Owned) -> npt.NDArray[np.bool_]:
    packed = _buffer(array, number, np.uint8, -(-(first + count) // 8), owner)
    return np.unpackbits(packed, bitorder="little")[first : first + count].astype(bool)


def _column(schema: Any, array: Any, owner: _Owned, skip: int, count: int) -> ArrowColumn:
    column = ArrowColumn(_name(schema))
    first = array.offset + skip
    kind = schema.format
    if kind == b"n":
        column.numbers = np.zeros(count, dtype=np.int8)
        column.missing = np.ones(count, dtype=bool)
        return column
    if array.null_count != 0 and array.n_buffers > 0 and array.buffers[0]:
        column.missing = ~_bits(array, 0, first, count, owner)
    if kind in _NUMBERS:
        column.numbers = _buffer(array, 1, _NUMBERS[kind], first + count, owner)[first:]
    elif kind == b"b":
        column.numbers = _bits(array, 1, first, count, owner)
    elif kind in (b"u", b"U"):
        offset = np.int32 if kind == b"u" else np.int64
        column.offsets = _buffer(array, 1, offset, first + count + 1, owner)[first:].astype(np.int64)
        if not len(column.offsets):
            column.offsets = np.zeros(count + 1, dtype=np.int64)
        column.data = _buffer(array, 2, np.uint8, int(column.offsets[-1]), owner)
    elif kind == b"vu":
        column.data, column.offsets = _views(array, first, count, owner)
    else:
        column.kind = kind.decode()
        column.numbers = np.zeros(count, dtype=np.int8)
        column.missing = np.ones(count, dtype=bool)
        return column
    if schema.dictionary:
        entries = array.dictionary.contents
        column.dictionary = _column(schema.dictionary.contents, entries, owner, 0, entries.length)
    return column


def _views(array: Any, first: int, count: int, owner: _Owned) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Gather the texts of a column of views into one buffer."""
    raw = _buffer(array, 1, np.uint8, 16 * (first + count), owner)[16 * first :]
    views = raw.view(np.int32).reshape(count, 4)
    lengths = views[:, 0].astype(np.int64)
    others = array.n_buffers - 3
    sizes = _buffer(array, array.n_buffers - 1, np.int64, others, owner)
    buffers = [raw] + [_buffer(array, 2 + b, np.uint8, int(sizes[b]), owner) for b in range(others)]
    starts_of = np.cumsum([0] + [len(buffer) for buffer in buffers])
    inline = lengths <= _INLINE
    starts = np.where(inline, 16 * np.arange(count) + 4, starts_of[np.where(inline, 0, views[:, 2] + 1)] + views[:, 3])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    everything = np.concatenate(buffers)
    places = np.repeat(starts - offsets[:-1], lengths) + np.arange(offsets[-1])
    return everything[places], offsets


def _joined(parts: list[ArrowColumn]) -> ArrowColumn:
    """Concatenate the chunks of one column; a single one is not copied."""
    first = parts[0]
    if len(parts) == 1:
        return first
    if first.kind is not None:
        return ArrowColumn(first.name, np.concatenate([_some(part.numbers) for part in parts]), None, kind=first.kind)
    if any(part.dictionary is not None for part in parts):
        # Each chunk has its own dictionary.
        entries = [text for part in parts for text in part.texts().to_list()]
        codes, texts = _core.Texts.from_list(entries, False).factorize()
        return ArrowColumn(first.name, codes, codes < 0, dictionary=_dictionary(texts))
    missing = None
    if any(part.missing is not None for part in parts):
        missing = np.concatenate(
            [np.zeros(_length(part), dtype=bool) if part.missing is None else part.missing for part in parts]
        )
    if first.offsets is None:
        return ArrowColumn(first.name, np.concatenate([_some(part.numbers) for part in parts]), missing)
    data, offsets, end = [], [np.zeros(1, dtype=np.int64)], 0
    for part in parts:
        ends = _some(part.offsets)
        data.append(_some(part.data)[ends[0] : ends[-1]])
        offsets.append(ends[1:] - ends[0] + end)
        end += int(ends[-1] - ends[0])
    return ArrowColumn(first.name, None, missing, None, np.concatenate(data), np.concatenate(offsets))


def _dictionary(texts: list[str]) -> ArrowColumn:
    encoded = [text.encode() for text in texts]
    offsets = np.concatenate([[0], np.cumsum([len(text) for text in encoded])]).astype(np.int64)
    return ArrowColumn("", data=np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets=offsets)


def _some(array: Optional[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    if array is None:
        raise TypeError("the chunks of an Arrow column are of different types")
    return array


def _length(part: ArrowColumn) -> int:
    return len(_some(part.numbers)) if part.offsets is None else len(part.offsets) - 1
