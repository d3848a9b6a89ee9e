"""Makes up the tickets of the guide "Fifty labels": 2,000 of them, 8% urgent, and what eight sources say of each.

    python docs/guides/data/make.py

Three prompts of one model share most of their errors, another model errs on its own, and rules fire on some tickets. One of the
rules has nothing to do with urgency. Writes tickets.csv and tickets-gold.csv beside this script, or into the folder given.
"""

from __future__ import annotations

import csv
import random
import sys
from pathlib import Path

ITEMS = 2_000
URGENT = 0.08
#: For each rule: what it votes, and how often it fires on urgent and on normal tickets.
RULES = {
    "rule-outage": ("urgent", 0.45, 0.03),
    "rule-deadline": ("urgent", 0.35, 0.06),
    "rule-newsletter": ("normal", 0.02, 0.30),
    "rule-capitals": ("urgent", 0.12, 0.12),
}
PROMPTS = ["prompt-short", "prompt-long", "prompt-strict"]


def main() -> None:
    """Write both tables."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    rng = random.Random(20)
    classes = ("normal", "urgent")
    votes, gold = [], []
    for i in range(ITEMS):
        urgent = rng.random() < URGENT
        # What the model behind the three prompts takes the ticket for; each prompt says something else now and then.
        seen = urgent if rng.random() < 0.82 else not urgent
        row = [f"ticket-{i:04}"]
        row += [classes[seen if rng.random() < 0.93 else not seen] for _ in PROMPTS]
        row.append(classes[urgent if rng.random() < 0.8 else not urgent])
        for vote, on_urgent, on_normal in RULES.values():
            row.append(vote if rng.random() < (on_urgent if urgent else on_normal) else "")
        votes.append(row)
        gold.append([row[0], classes[urgent]])
    write(folder / "tickets.csv", ["item", *PROMPTS, "model-b", *RULES], votes)
    write(folder / "tickets-gold.csv", ["item", "truth"], gold)


def write(path: Path, head: list[str], rows: list[list[str]]) -> None:
    """Write a table."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
