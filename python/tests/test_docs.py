"""Every public method says what its parameters are and shows an example; the examples run as doctests."""

import importlib
import inspect

import pytest

MODULES = [
    importlib.import_module(f"consilience{name}")
    for name in (
        "",
        ".analysis",
        ".analysis.metrics",
        ".augmentation",
        ".crowd",
        ".dask",
        ".labeling",
        ".labeling.apply.dask",
        ".labeling.apply.spark",
        ".labeling.model",
        ".learning",
        ".map",
        ".preprocess",
        ".preprocess.nlp",
        ".slicing",
        ".slicing.apply.dask",
        ".slicing.apply.spark",
        ".spark",
        ".utils",
    )
]


def public(module):
    """Give the classes and functions of a module that are for users, by name."""
    own = [name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
    for name in getattr(module, "__all__", own):
        thing = getattr(module, name)
        if not name.startswith("_") and (inspect.isclass(thing) or inspect.isfunction(thing)):
            yield f"{module.__name__}.{name}", thing


PUBLIC = {path: thing for module in MODULES for path, thing in public(module)}
CLASSES = {path: thing for path, thing in PUBLIC.items() if inspect.isclass(thing)}
FUNCTIONS = {path: thing for path, thing in PUBLIC.items() if inspect.isfunction(thing)}


def methods(kind):
    for name, method in inspect.getmembers(kind, callable):
        if not name.startswith("_") and getattr(method, "__module__", "").startswith("consilience"):
            yield name, inspect.unwrap(method)


METHODS = {f"{path}.{name}": method for path, kind in CLASSES.items() for name, method in methods(kind)} | FUNCTIONS


@pytest.mark.parametrize("path", CLASSES)
def test_classes_show_an_example(path):
    assert ">>>" in inspect.getdoc(CLASSES[path])


@pytest.mark.parametrize("path", METHODS)
def test_methods_are_documented(path):
    text = inspect.getdoc(METHODS[path])
    parameters = [name for name in inspect.signature(METHODS[path]).parameters if name not in ("self", "cls")]
    described = text.partition("Parameters\n")[2].partition("\nExamples\n")[0]
    named = {name.strip() for line in described.splitlines() if not line.startswith(" ") for name in line.split(",")}
    assert not [name for name in parameters if name not in named]
    assert ">>>" in text
