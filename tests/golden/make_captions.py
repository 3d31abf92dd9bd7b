#!/usr/bin/env python3
"""Scores of captions by pycocoevalcap, for tests/caption_golden_test.cpp.

    python3 -m venv venv && venv/bin/pip install pycocoevalcap==1.2
    venv/bin/python tests/golden/make_captions.py > tests/golden/captions.json

Needs Java: the words are those of pycocoevalcap's PTBTokenizer. Captions are made from references by formulas: another
reference, a word less, two words swapped, no word at all. Every picture has its BLEU-1 to BLEU-4 and ROUGE-L; every set of
pictures has its scores, and the CIDEr of each picture, which depends on the set.
"""
import json
import os

os.environ["JAVA_TOOL_OPTIONS"] = "-Dfile.encoding=UTF-8"

from importlib.metadata import version

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

# The references of each picture.
PICTURES = [
    ["A brown dog runs across the wet sand.", "The dog is running on a beach .", "A dog runs along the beach, near water.",
     "Brown dog running at the seaside", "A wet dog runs through shallow water."],
    ["Two children play with a red ball in the park.", "Two kids are playing ball .", "A boy and a girl play in the park.",
     "Children with a ball on green grass", "Two children kick a red ball"],
    ["A man in a black-and-white T-shirt climbs a rock.", "A rock climber hangs from a steep cliff.",
     "The man's hand is on the rock; he doesn't look down.", "A climber without a rope!", "A man climbs ."],
    ["A woman (in a blue dress) sings on a stage.", "A singer in a blue dress holds a microphone.",
     "The woman sings into a microphone", "A woman is singing", "A singer performs \"live\" on stage."],
    ["A 3-year-old boy eats ice-cream.", "The little boy's face is covered with ice cream.", "A child can't stop eating.",
     "A boy eats an ice cream cone", "Boy with ice cream"],
    ["People wait for the bus at 5:30 p.m. on Main St. in the rain.", "People with umbrellas at a bus stop",
     "A bus stop in the rain ...", "Some people are waiting for a bus.", "It's raining, and people wait."],
    ["A dog.", "A dog", "Dog", "a dog !", "The dog?"],
    ["Three men play football on a muddy field.", "Football players in mud", "Men are playing football in the rain.",
     "Three muddy players chase the ball", "A muddy game of football"],
    ["The dog jumps over the fence and the dog runs to the dog on the other side.", "A dog jumps over a fence.",
     "The dogs play at a fence", "Two dogs and a fence", "A jumping dog"],
    ["A cyclist isn't wearing a helmet -- he cannot see us.", "Someone rides a bike without a helmet",
     "A man rides his bicycle .", "The cyclist's bike is red", "A man on a bike"],
    ["A girl in pink pyjamas reads 'The Big Book'.", "A girl reads a book in bed", "The girl is reading.",
     "A child with a book", "a girl with her book"],
    ["Two white birds fly over the sea at sunset!!", "Birds over the sea", "Two birds in the evening sky",
     "White birds are flying", "Two gulls fly ."],
    ["A man & a woman ride a motorbike (a red one).", "A couple on a red motorbike", "Two people ride a motorcycle",
     "A man and a woman on a motorcycle", "Red motorbike with 2 people, 50% off"],
    ["एक भूरा कुत्ता समुद्र तट पर दौड़ रहा है।", "कुत्ता रेत पर दौड़ता है।", "एक कुत्ता पानी के पास है",
     "समुद्र के किनारे एक कुत्ता।", "गीली रेत पर भूरा कुत्ता"],
    ["दो बच्चे पार्क में लाल गेंद से खेल रहे हैं।", "बच्चे गेंद खेलते हैं।", "पार्क में दो बच्चे", "एक लड़का और एक लड़की, लाल गेंद के साथ।",
     "हरी घास पर बच्चे।"],
    ["बड़े नीले वर्ग के ऊपर एक छोटा लाल वृत्त", "नीले वर्ग के ऊपर लाल वृत्त।", "एक लाल वृत्त और एक नीला वर्ग",
     "वर्ग के ऊपर वृत्त है।", "छोटा वृत्त"],
]


def swapped(caption):
    words = caption.split(" ")
    if len(words) > 2:
        words[1], words[-1] = words[-1], words[1]
    return " ".join(words)


# What is done to a reference to make a caption.
CHANGES = [
    lambda caption: caption,
    lambda caption: " ".join(caption.split(" ")[:-1]),
    swapped,
    lambda caption: caption.upper(),
    lambda caption: caption + " " + caption,
    lambda caption: "",
    lambda caption: " ".join(caption.split(" ")[::2]),
    lambda caption: "something unheard-of",
]


def pictures():
    """Caption and references; the change, the reference it is made from and the number of references go round."""
    for i, references in enumerate(PICTURES):
        for j in range(5):
            yield CHANGES[(i + 3 * j) % len(CHANGES)](references[j]), references[: 1 + (i + 4 * j) % 5]
    yield "", [""]
    yield "", ["", "A dog ."]
    yield "A dog .", ["..."]


def tokenized(texts):
    """Each text as PTBTokenizer gives it. It reads lines and skips empty ones at the end, so that one follows."""
    lines = {i: [{"caption": text}] for i, text in enumerate(texts + ["end"])}
    words = PTBTokenizer().tokenize(lines)
    return [words[i][0] for i in range(len(texts))]


def scores(chosen):
    """Of a set of pictures: BLEU-1 to BLEU-4, ROUGE-L, CIDEr, and the lists of each by picture."""
    res = {i: [hypothesis] for i, (hypothesis, _) in enumerate(chosen)}
    gts = {i: references for i, (_, references) in enumerate(chosen)}
    bleu, bleus = Bleu(4).compute_score(gts, res, verbose=0)
    rouge, rouges = Rouge().compute_score(gts, res)
    cider, ciders = Cider().compute_score(gts, res)
    return [*bleu, float(rouge), float(cider)], [list(one) for one in zip(*bleus, map(float, rouges), map(float, ciders))]


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


raw = list(pictures())
words = iter(tokenized([text for hypothesis, references in raw for text in (hypothesis, *references)]))
cooked = [(next(words), [next(words) for _ in references]) for _, references in raw]
_, by_picture = scores(cooked)
print('{"made by": "tests/golden/make_captions.py with pycocoevalcap ' + version("pycocoevalcap")
      + ' and the PTB tokenizer of Stanford CoreNLP 3.4.1",\n"pictures": [')
print(",\n".join(dump([*text, *split, of_picture[:5]]) for text, split, of_picture in zip(raw, cooked, by_picture))
      + '],\n"sets": [')
rows = []
for chosen in ([*range(len(raw))], [*range(65)], [*range(65, 80)], [*range(0, 65, 3)], [*range(2, 65, 7)], [4, 9], [10]):
    total, each = scores([cooked[i] for i in chosen])
    rows.append(dump({"pictures": chosen, "scores": total, "cider": [one[5] for one in each]}))
print(",\n".join(rows) + "]}")
