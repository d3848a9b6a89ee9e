"""Makes the tables of the tutorials; all people, comments and judges are made up.

    python docs/tutorials/data/make.py [folder]

Everything comes from one seed and Python's own generator, so that the tables are the same everywhere.
"""

from __future__ import annotations

import csv
import random
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

PRAISE = [
    "this melody has been in my head all day",
    "my grandfather played this on his old radio",
    "the drummer deserves far more credit",
    "I cried at the second verse",
    "that key change still gives me chills",
    "the choir at the end is wonderful",
    "we danced to this at our wedding",
    "best thing they have recorded in years",
    "the video was filmed in my home town",
    "her voice is so calm and warm",
    "I love how quiet the bridge is",
    "who else is listening on a rainy evening?",
    "the guitar sounds like an old friend",
    "that trumpet solo, wow",
    "can somebody tell me the name of the bass player?",
    "not my favourite, but the chorus is good",
    "honestly the live version is better",
    "I do not get why people like this",
    "my kids ask for this song every morning",
    "this is the sound of my last summer",
]
ASIDES = ["", "", "", " <3", " :)", " Greetings from Lisbon.", " Sorry for my English.", " 10/10", " Thank you!", " Still so good."]
PLEAS = [
    "please subscribe to my channel",
    "check out my channel for daily covers",
    "check out this video, you will not regret it",
    "I make beats at home, check them out",
    "subscribe and I subscribe back",
    "follow me for free giveaways",
    "win a free phone, only today",
    "earn 300 a day from home, ask me how",
    "visit http://{site}.example/{code} for free coins",
    "go to www.{site}.example and use code {code}",
    "http://{site}.example/{code} has the full album for free",
    "who wants free tickets? first 50 at www.{site}.example",
    "new single out now on my channel, subscribe",
    "text me to make money fast, no joke",
]
SITES = ["tune-gifts", "win4all", "fastcash", "coverking", "mixtape-now", "luckydrop"]
HANDLES = ["anna", "bo", "carla", "deniz", "emil", "fay", "goran", "hana", "ivo", "june", "karim", "lena", "mio", "nora"]
SHOPS = ["DailyDeals", "BeatMaker99", "FreeCoins4U", "CoverKing", "LuckyDrop", "MixtapeNow"]


def comments(rng: random.Random, items: int = 400) -> list[list[object]]:
    """Make comments under a music video: 1 is spam, 0 is not."""
    rows: list[list[object]] = []
    for i in range(items):
        spam = rng.random() < 0.42
        if spam:
            plea = rng.choice(PLEAS).format(site=rng.choice(SITES), code=f"{rng.choice('abcdef')}{rng.randrange(10, 99)}")
            lead = rng.choice(["", "", "hey guys, ", "nice song! ", "love this! ", rng.choice(PRAISE) + ". "])
            text = lead + plea + rng.choice(["", "!", "!!!", " :)"])
            text = text.upper() if rng.random() < 0.12 else text
            author = rng.choice(SHOPS) if rng.random() < 0.45 else f"{rng.choice(HANDLES)}{rng.randrange(100)}"
        else:
            text = rng.choice(PRAISE) + rng.choice(ASIDES)
            if rng.random() < 0.08:
                text += rng.choice([" check out their older songs too", " I found it on www.songlists.example", " I would subscribe for that"])
            author = f"{rng.choice(HANDLES)}{rng.randrange(100)}"
        rows.append([i, author, text[0].upper() + text[1:], int(spam)])
    return rows


# Judge, how often it is right, and whose opinion it repeats how often.
JUDGES: list[tuple[str, float, str | None, float]] = [
    ("atlas-large", 0.76, None, 0.0),
    ("atlas-large-strict", 0.74, "atlas-large", 0.6),
    ("atlas-small", 0.70, "atlas-large", 0.5),
    ("borealis", 0.80, None, 0.0),
    ("borealis-mini", 0.72, None, 0.0),
    ("cinder", 0.74, None, 0.0),
    ("cinder-chat", 0.72, "cinder", 0.6),
    ("delta-8b", 0.66, None, 0.0),
    ("echo", 0.76, None, 0.0),
    ("fjord", 0.70, None, 0.0),
    ("grove", 0.72, None, 0.0),
    ("harbor", 0.78, None, 0.0),
]


def judgements(rng: random.Random, items: int = 600) -> tuple[list[list[object]], list[list[object]]]:
    """Make the verdicts of judges on pairs of answers (A or B is better), and the truth."""
    votes: list[list[object]] = []
    gold: list[list[object]] = []
    for i in range(items):
        name = f"question-{i:03d}"
        truth = rng.choice("AB")
        gold.append([name, truth])
        said: dict[str, str] = {}
        for judge, accuracy, parent, share in JUDGES:
            if parent is not None and parent in said and rng.random() < share:
                said[judge] = said[parent]
            else:
                said[judge] = truth if rng.random() < accuracy else ("B" if truth == "A" else "A")
        votes += [[name, judge, verdict] for judge, verdict in said.items() if rng.random() > 0.06]
    return votes, gold


BIRDS = ["crow", "jackdaw", "magpie", "raven"]
LOOKS_LIKE = {"crow": "raven", "raven": "crow", "jackdaw": "crow", "magpie": "jackdaw"}


def sightings(rng: random.Random, tasks: int = 180, workers: int = 24) -> tuple[list[list[object]], list[list[object]]]:
    """Make the answers of volunteers who name the bird in a photograph, and the truth."""
    people = []
    for w in range(workers):
        kind = "clicker" if w in (3, 11, 19) else "careful" if w % 4 == 0 else "usual"
        people.append((f"volunteer-{w:02d}", kind))
    votes: list[list[object]] = []
    gold: list[list[object]] = []
    for t in range(tasks):
        name, bird = f"photo-{t:03d}", rng.choices(BIRDS, [0.4, 0.2, 0.2, 0.2])[0]
        gold.append([name, bird])
        for worker, kind in rng.sample(people, 6):
            skill = {"clicker": 0.0, "careful": 0.93, "usual": 0.7}[kind]
            if kind == "clicker":
                answer = "crow" if rng.random() < 0.85 else rng.choice(BIRDS)
            elif rng.random() < skill:
                answer = bird
            else:
                answer = LOOKS_LIKE[bird] if rng.random() < 0.7 else rng.choice(BIRDS)
            votes.append([name, worker, answer])
    return votes, gold


def write(path: Path, head: list[str], rows: list[list[object]]) -> None:
    """Write one table."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


RULES = {
    "subscribe": (r"subscribe", "spam"),
    "channel": (r"subscribe|my channel|follow me", "spam"),
    "check_out": (r"check (them )?out", "spam"),
    "money": (r"\b(free|win|earn|money)\b", "spam"),
    "link": (r"https?://|www\.", "spam"),
    "feelings": (r"\b(love|cried|chills|wonderful|voice|danced|wedding|summer|drummer|verse|chorus)\b", "ham"),
    "about_music": (r"\b(guitar|trumpet|bass|choir|radio|song|sound)\b", "ham"),
    "question": (r"^(?!.*free).*\?", "ham"),
}


def rule_votes(rows: list[list[object]]) -> list[list[object]]:
    """Give what each rule says of each comment."""
    votes = [(re.compile(pattern, re.IGNORECASE), label) for pattern, label in RULES.values()]
    return [[row[0], *(label if rule.search(str(row[2])) else "" for rule, label in votes)] for row in rows]


def main(folder: Path) -> None:
    """Write all tables."""
    rows = list(comments(random.Random(7)))
    write(folder / "comments.csv", ["id", "author", "text", "spam"], rows)
    write(folder / "comment-votes.csv", ["id", *RULES], rule_votes(rows))
    votes, gold = judgements(random.Random(11))
    write(folder / "judgements.csv", ["item", "judge", "label"], votes)
    write(folder / "judgements-gold.csv", ["item", "better"], gold)
    votes, gold = sightings(random.Random(5))
    write(folder / "sightings.csv", ["task", "worker", "label"], votes)
    write(folder / "sightings-gold.csv", ["task", "bird"], gold)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
