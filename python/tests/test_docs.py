"""Every public method says what its parameters are and shows an example; the examples run as doctests."""

import inspect

import pytest

import consilience
import consilience.crowd
import consilience.labeling.model

MODULES = (consilience, consilience.labeling.model, consilience.crowd)
CLASSES = {
    f"{module.__name__}.{name}": thing
    for module in MODULES
    for name in getattr(module, "__all__", ["DawidSkene"])
    if inspect.isclass(thing := getattr(module, name))
}
FUNCTIONS = {f"consilience.{name}": getattr(consilience, name) for name in ("certify", "plan", "sample", "simulate")}


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
