"""Makes pairs of passages that differ in one place, with a sentence for each, from templates.txt.

    templates.py OUT.jsonl [--held OUT.jsonl] [--pairs 5000] [--plain] [--seed 1]

Four rows a pair, as data.py makes them of pairs.jsonl: each sentence once with the passage that says it and once with the one that does not,
so that nothing can be told from the sentence alone. Both passages of a pair stand among the same other lines under the same title.
With --plain they stand alone, which is easier to learn from. With --held every tenth template goes there instead: whether what is learned from templates holds for others.
"""

import argparse
import json
import random
import re
from pathlib import Path

LABEL = {"c": "contradicted", "u": "unsaid"}
NAMES = """Anna Omar Priya Tom Lucía Wei Fatima Jonas Ngozi Elena Marek Aiko Sven Ruth Diego Hanna Kofi Mei Pavel Ines Ravi Sofia Liam Zeynep Nadia Bruno
Greta Yusuf Clara Henrik Amara Theo Ivana Felix Leila Oskar Chiara Samir Judith Tariq Nora Viktor Dana Emeka Marta Piotr Ida Hugo Mrs.·Keller
Mr.·Osei Dr.·Lindqvist Uncle·Ray Aunt·Bea my·sister my·brother the·neighbour""".split()
SLOTS = {
    "thing": """drill|tent|bicycle|camera|sofa|printer|kettle|microscope|ladder|guitar|lawnmower|suitcase|projector|sewing machine|telescope|rug|bookshelf|
        heater|freezer|canoe|typewriter|mattress|record player|wardrobe|oak table|blender|sleeping bag|piano|desk lamp|pressure cooker|radio|mirror""",
    "spot": "kitchen|cellar|attic|garage|hallway|bathroom|study|shed|guest room|workshop|pantry|server room|balcony|storage room|back office|laundry",
    "place": """Lisbon|Leipzig|Nairobi|Kyoto|Porto|Glasgow|Tallinn|Montreal|Accra|Turin|Bergen|Seville|Hanoi|Oaxaca|Ghent|Kraków|Izmir|Cork|Malmö|Austin|
        Graz|Naples|Lagos|Utrecht""",
    "day": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    "month": "January|February|March|April|May|June|July|August|September|October|November|December",
    "dish": """lentil soup|potato salad|plum cake|dumplings|mushroom risotto|flatbread|chickpea stew|apple pie|pickled herring|noodles|cheese board|jollof rice|
        pancakes|fish pie|rye bread|tiramisu|goulash|tofu curry|olives|pumpkin soup""",
    "tool": """Postgres|Redis|Nginx|Grafana|the scheduler|the billing service|Obsidian|Notion|Zotero|the old importer|Kafka|the gateway|Jenkins|the mail worker|
        Syncthing|Trello|the cache|the search index|Figma|the login service""",
    "shop": "the corner shop|Bauer & Sons|the flea market|the market hall|Café Linde|the hardware store|Rosa's|the co-op|the station kiosk|the old bookshop|the Blue Door",
    "book": "novel about the lighthouse|book on bees|biography|thesis draft|long essay|cookbook|handbook|second volume|manuscript|poetry collection",
    "colour": "white|dark green|yellow|light grey|blue|terracotta|black|off-white|red|lilac",
    "event": "audit|wedding|concert|workshop|election|move|summer party|retreat|trial run|exam|conference|funeral|harvest|inspection|launch|race",
    "job": "dentist|accountant|gardener|editor|nurse|carpenter|analyst|translator",
    "n": "6|9|12|15|20|25|30|40|45|60|75|80|120|140|200|350",
    "again": "again|for the first time|on Sunday|twice in a row|at last",
    "claim": """remote work makes teams slower|the river was cleaner twenty years ago|small schools are better|the budget will not hold|sleep matters more than diet|
        the first draft should be written by hand|tests slow a project down at first|cities should ban cars|the landlord is going to sell|bees can count|
        the new timetable is worse|nobody reads the minutes|the bridge will be closed next year|most meetings could be letters|old pans are the best ones|
        the data are biased|children learn best outdoors|the vaccine needs a booster|the festival has lost its charm|the second edition is full of mistakes""",
    "why": """the bus was late|the heating had failed|nobody had the key|the rain would not stop|the invoice was wrong|the server ran out of memory|the baby was ill|
        the road was closed|the price had doubled|the soil was too dry|the guests stayed longer|a test had failed|the contract ended|the oven was broken|
        the speaker fell ill|the certificate had expired|the tide was out|the shop was shut|the battery was empty|the numbers looked odd""",
    "what": """we started without the others|the meeting was moved|I slept badly|the release was put off|we ate outside|the class was cancelled|we took the train|
        the price was lowered|I threw the draft away|the seedlings died|we stayed at home|the team was split|I walked to work|the door was left open|
        the report came late|we changed the recipe|the job was restarted|the trip was cut short|everyone went home early|we rented a van""",
    "do": """paint the fence/painted the fence/painting the fence|repair the tap/repaired the tap/repairing the tap|call the bank/called the bank/calling the bank|
        clean the gutters/cleaned the gutters/cleaning the gutters|send the invoice/sent the invoice/sending the invoice|water the plants/watered the plants/watering the plants|
        book the train/booked the train/booking the train|sell the car/sold the car/selling the car|plant the garlic/planted the garlic/planting the garlic|
        sort the photos/sorted the photos/sorting the photos|update the website/updated the website/updating the website|file the taxes/filed the taxes/filing the taxes|
        translate the letter/translated the letter/translating the letter|bake the bread/baked the bread/baking the bread|move the database/moved the database/moving the database|
        label the samples/labelled the samples/labelling the samples|order the chairs/ordered the chairs/ordering the chairs|tune the piano/tuned the piano/tuning the piano|
        review the patch/reviewed the patch/reviewing the patch|visit the archive/visited the archive/visiting the archive|feed the cats/fed the cats/feeding the cats|
        print the flyers/printed the flyers/printing the flyers|rewrite the parser/rewrote the parser/rewriting the parser|pack the boxes/packed the boxes/packing the boxes""",
}
OTHERS = """Slept well for once.|Rain all morning.|{C} sends regards.|The {event} is in {month}.|Bread is out, buy some.|{C} has a cold again.|The {spot} smells of paint.
Too much coffee today.|{C} wants to {do3}.|See also the list from {month}.|The {thing3} is still in the {spot3}.|No word from {place3} yet.|{C} {did3}, finally.
The train was full.|Read for an hour.|Two new messages, neither of them urgent.|{tool3} was slow again.|Long walk by the canal.|{C} came by with {dish3}.|Must not forget the keys.
The meeting ran over.|Budget: see the other page.|The light was lovely around six.|{C} asked about {place3}.|- [ ] {do3}|Tired, but content.|To be continued.
The {thing3} cost {n3} euros.|It was colder than in {month}.|{C} thinks that {claim3}.|Nothing else happened.|Quick note before bed.""".replace("\n", "|").split("|")
TITLES = """Diary|Notes {month}|House|{place3}|Meeting with {C}|Weekly review|{day3}|Reading|Ideas|Garden|Project log|Family|To do|Stand-up|Trip|Kitchen|Team|Research|
Decisions|{event}""".replace("\n", "").split("|")
HEADINGS = "Open|Done|Notes|Later|People|Money|Morning|Results|Background|Plan|Log|Next".split("|")


def filled(chance):
    """What each slot stands for; {thing}, {thing2}, {thing3} differ."""
    names = [name.replace("·", " ") for name in chance.sample(NAMES, 3)]
    slots = dict(zip("ABC", names))
    for name, listed in SLOTS.items():
        some = chance.sample([re.sub(r"\s+", " ", one).strip() for one in listed.split("|")], min(3, listed.count("|") + 1))
        if name == "n":
            some = sorted(some, key=int, reverse=True)
        for at, one in zip(("", "2", "3"), some):
            if name == "do":
                slots["do" + at], slots["did" + at], slots["doing" + at] = one.split("/")
            else:
                slots[name + at] = one
                slots[name.capitalize() + at] = one[0].upper() + one[1:]
    return slots


def said(text, slots, choices):
    """A template's text with one of each [x|y], the same of all that have as many, and its slots filled."""

    def choose(found):
        options = found[1].split("|")
        return options[choices[len(options)]]

    text = re.sub(r"\{(\w+)\}", lambda found: slots[found[1]], re.sub(r"\[([^\[\]]*\|[^\[\]]*)\]", choose, text))
    text = re.sub(r"\s+([.,;])", r"\1", re.sub(r"  +", " ", text)).strip()
    return text[:1].upper() + text[1:]


def read(path):
    blocks = [[line for line in block.splitlines() if line and not line.startswith("#")] for block in path.read_text(encoding="utf-8").split("\n\n")]
    return [(*head.split(), *texts) for head, *texts in filter(None, blocks)]


def pair(at, template, number, chance, plain):
    kind, a_in_q, b_in_p, p, q, a, b = template
    slots = filled(chance)
    choices = {many: chance.randrange(many) for many in range(2, 8)}
    before, behind = ([said(one, slots, choices) for one in chance.sample(OTHERS, 0 if plain else chance.choice((0, 0, 1, 1, 2)))] for _ in range(2))
    between = chance.choice((" ", " ", " / "))
    context = [said(chance.choice(TITLES), slots, choices)] if chance.random() < 0.7 and not plain else []
    context += [chance.choice(HEADINGS)] if context and chance.random() < 0.4 else []
    head = " > ".join(context) + ": " if context else ""
    p, q = (head + between.join([*before, said(text, slots, choices), *behind]) for text in (p, q))
    a, b = (said(chance.choice(text.split(" || ")), slots, choices) for text in (a, b))
    if chance.random() < 0.5:
        a, b = (text if text.endswith((".", "!", "?")) else text + "." for text in (a, b))
    rows = ((p, a, "entailed"), (q, a, LABEL[a_in_q]), (q, b, "entailed"), (p, b, LABEL[b_in_p]))
    for premise, hypothesis, label in rows:
        yield {"premise": premise, "hypothesis": hypothesis, "label": label, "group": f"template {at} {number}", "source": "templates", "kind": kind}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--held", type=Path)
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    templates = read(Path(__file__).with_name("templates.txt"))
    rows = {False: [], True: []}
    for number in range(arguments.pairs):
        at = number % len(templates)
        rows[bool(arguments.held) and at % 10 == 9] += pair(at, templates[at], number, chance, arguments.plain)
    for path, found in ((arguments.out, rows[False]), (arguments.held, rows[True])):
        if path:
            path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found), encoding="utf-8")
    print(f"{len(templates)} templates, {arguments.pairs} pairs, {len(rows[True])} rows of them held out")


if __name__ == "__main__":
    main()
