"""Type names for annotations in scripts."""

from consilience.types.classifier import Config
from consilience.types.data import DataPoint, DataPoints, Field, FieldMap
from consilience.types.hashing import HashingFunction

__all__ = ["Config", "DataPoint", "DataPoints", "Field", "FieldMap", "HashingFunction"]
