"""Made-up votes."""
