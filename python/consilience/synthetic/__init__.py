"""Synthetic votes."""
