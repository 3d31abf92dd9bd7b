#!/usr/bin/env python3
"""BLEU and chrF by sacreBLEU, for tests/bleu_golden_test.cpp.

    python3 -m venv venv && venv/bin/pip install sacrebleu==2.6.0
    venv/bin/python tests/golden/make_bleu.py > tests/golden/bleu.json

Translations are made from references by formulas: a word less, two words swapped, another case, nothing at all. Every
sentence is scored alone with every configuration, and some are scored together as corpora. The version is left out of
the signatures; it is not sacreBLEU's that the test must print.
"""
import json

from sacrebleu import __version__
from sacrebleu.metrics import BLEU, CHRF

# Lists of translations of one another's kind: the first is what hypotheses are made from, all are references.
SENTENCES = [
    ["The cat sat on the mat.", "A cat was sitting on the mat.", "There is a cat on the mat"],
    ["It cost $1,234.56, not 5.", "The price was $1,234.56 and not 5."],
    ["He said: \"don't over-think it\" -- and left (quickly).", "He told us not to over-think it, and was gone."],
    ["In 1990-2000, well-known A/B tests [sic] grew by 3.5%.", "Between 1990 and 2000 A/B tests grew by 3.5 %."],
    ["a.b,c 1.b,2 .5 5. 5.,6 ,,, ...", "a.b c 1. b 2 0.5 5 5,6 , ..."],
    ["&quot;R&amp;D&quot; &lt;b&gt; &amp;lt; &apos; <skipped>x", "\"R&D\" <b> < ' x"],
    ["https://example.org/a_b?c=d&e=~f#g {x|y} `z` ^2 *3 a@b.org", "see example.org or a@b.org"],
    ["Yes.", "Yes", "yes!"],
    ["I am", "I am here"],
    ["one two three", "one two three four"],
    ["the the the the the the the", "the cat is on the mat", "there is a cat on the mat"],
    ["2019.", "2019 .", "in 2019."],
    ["5", "5", "five"],
    ["!", "?"],
    ["मैं खाना खा रहा हूँ।", "मैं खा रहा हूँ।", "मैं भोजन कर रहा हूँ |"],
    ["क्या आप कल (सोमवार) आएँगे? हाँ, ₹५,०००.५० लेकर!", "क्या आप सोमवार को आएँगे? हाँ, ₹5,000.50 लेकर।"],
    ["ज़्यादा बड़ा क़िला", "ज़्यादा बड़ा क़िला"],
    ["क्षत्रिय श्री राम\u200dकृष्ण ने दुःख-सुख देखा॥", "श्री रामकृष्ण ने सुख और दुःख देखा।"],
    ["राष्ट्रीय विज्ञान दिवस २८ फ़रवरी को मनाया जाता है", "२८ फ़रवरी राष्ट्रीय विज्ञान दिवस है"],
    ["मी जेवण करत आहे.", "मी जेवत आहे."],
    ["আমি ভাত খাচ্ছি।", "আমি এখন ভাত খাই।"],
    ["நான் சாப்பிடுகிறேன்.", "நான் இப்போது சாப்பிடுகிறேன்"],
    ["నేను తింటున్నాను, మరి నువ్వు?", "నేను తింటున్నాను. నువ్వు?"],
    ["Der Größenwahn der STRASSE, „schön“ – oder?", "Die Größe der Straße: »schön«, oder?"],
    ["L'été dernier, j'ai mangé 2,5 kg d'œufs à l'hôtel…", "L’été dernier j’ai mangé 2,5 kg d’œufs"],
    ["« Déjà-vu », dit-il… 10 000 € !", "\"Déjà vu\", a-t-il dit : 10\u00a0000\u202f€ !"],
    ["¿Dónde está el niño? ¡Aquí!", "¿Dónde está la niña? Allí."],
    ["İSTANBUL'DA IŞIK VE ığdır", "istanbul'da ışık ve Iğdır"],
    ["ΟΔΥΣΣΕΥΣ ΚΑΙ ΟΔΟΣ. ΑΣ'Α Σ", "Οδυσσεύς και οδός. ας'α σ"],
    ["Москва — столица, а не «деревня»!", "Москва – столица, не деревня."],
    ["Це п'ять яблук, і ще 0,5.", "Це 5 яблук та 0.5"],
    ["我在吃饭。你呢?他说:“好”。", "我正在吃饭,你呢?", "我在 吃饭 。"],
    ["私はご飯を食べています。100%です!", "私は食事中です。"],
    ["나는 밥을 먹고 있습니다.", "저는 밥을 먹는 중입니다."],
    ["أنا آكل الطعام، وأنت؟ ١٬٢٣٤٫٥", "أنا آكل، وأنت؟ ١٢٣٤"],
    ["אני אוכל לחם; ואתה? ״כן״", "אני אוכל. ואתה?"],
    ["ฉันกำลังกินข้าว ๑๒.๕ บาท", "ฉันกินข้าว 12.5 บาท"],
    ["😀 👨\u200d👩\u200d👧 🇮🇳 ok 👍🏽!", "😀 👨\u200d👩\u200d👧 ok 👍"],
    ["x ≤ 3 × 10⁵ ± ½ → ∞, √2 ≈ 1.41", "x <= 3 x 10^5 +/- 0.5, √2 = 1.41"],
    ["  spaces\u3000of \t all\u2007kinds\u2028here\u001cand\u0085there  ", "spaces of all kinds here and there"],
    ["zero\u200bwidth so\u00adft ﬁn e\u0301 é", "zero width soft fin é e\u0301"],
    ["ǅungla Ǆ ⅧⅨ Ⓐ 𐐀𐐁 ẞ", "ǆungla ǆ ⅷⅸ ⓐ 𐐨𐐩 ß"],
    ["(hi) 'tis \"quoted,\" --dash- end.)", "hi 'tis quoted dash end"],
    ["the quick brown fox jumps over the lazy dog while a second quick brown fox, less lazy than the dog, watches the "
     "first fox jump over the second dog and the third dog jump over nothing at all in the whole wide world",
     "a quick brown fox jumps over a lazy dog while another brown fox watches the first fox jump over the second dog "
     "and a third dog jumps over nothing in the world", "the fox and the dog"],
    ["जो लड़का कल बाज़ार में लाल क़मीज़ पहनकर दो किलो आम ख़रीद रहा था वह मेरे बड़े भाई का सबसे पुराना दोस्त है",
     "कल बाज़ार में लाल क़मीज़ पहने आम ख़रीदने वाला लड़का मेरे भाई का दोस्त है"],
]


def swapped(line):
    words = line.split(" ")
    if len(words) > 2:
        words[1], words[-1] = words[-1], words[1]
    return " ".join(words)


# What is done to a reference to make a translation of it.
CHANGES = [
    lambda line: line,
    lambda line: " ".join(line.split(" ")[:-1]),
    lambda line: line + " " + line,
    swapped,
    lambda line: line.upper(),
    lambda line: line[::2],
    lambda line: "",
    lambda line: "qqq www zzz",
]


def pairs():
    """Translation and references; the change and the number of references go round."""
    for i, sentence in enumerate(SENTENCES):
        for j in range(4):
            yield CHANGES[(i + 3 * j) % len(CHANGES)](sentence[0]), sentence[: 1 + (i + j) % len(sentence)]
        yield sentence[1], sentence[:1]
    for empty in (["", [""]], ["x", [""]], ["", ["x"]], [" ", ["\t"]], ["", ["a b c", ""]]):
        yield empty


CONFIGURATIONS = (
    [("BLEU", {"tokenize": t, "lowercase": l}) for t in ("13a", "none", "char", "intl") for l in (False, True)]
    + [("BLEU", {"tokenize": "13a", "effective_order": True})]
    + [("BLEU", {"tokenize": "intl", "smooth_method": s, "effective_order": e})
       for s in ("none", "floor", "add-k") for e in (False, True)]
    + [("BLEU", {"smooth_method": "floor", "smooth_value": 0.01}),
       ("BLEU", {"smooth_method": "add-k", "smooth_value": 2.5})]
    + [("CHRF", {"word_order": w, "lowercase": l}) for w in (0, 2) for l in (False, True)]
    + [("CHRF", {"whitespace": True}), ("CHRF", {"word_order": 1, "eps_smoothing": True}),
       ("CHRF", {"char_order": 4, "word_order": 2, "beta": 3})]
)


def metric(name, settings):
    return BLEU(force=True, **settings) if name == "BLEU" else CHRF(**settings)


def without_version(signature):
    return str(signature).rsplit("|version:", 1)[0]


def of_corpus(chosen, all_pairs):
    """Every configuration's result for some pairs together; references must be equally many."""
    count = min(len(all_pairs[i][1]) for i in chosen)
    hypotheses = [all_pairs[i][0] for i in chosen]
    references = [[all_pairs[i][1][r] for i in chosen] for r in range(count)]
    texts = []
    for name, settings in CONFIGURATIONS:
        scorer = metric(name, settings)
        score = scorer.corpus_score(hypotheses, references)
        texts.append([score.score, score.format(signature=without_version(scorer.get_signature()))])
    return {"pairs": chosen, "references": count, "results": texts}


def corpora(all_pairs):
    """Groups of pairs that lie a stride apart and have at least so many references."""
    for references in (1, 2, 3):
        usable = [i for i, pair in enumerate(all_pairs) if len(pair[1]) >= references]
        yield usable
        for stride in (3, 7, 12, 31):
            yield usable[stride % 5 :: stride]


every_pair = list(pairs())
print(json.dumps({"made by": "tests/golden/make_bleu.py with sacreBLEU " + __version__,
                  "configurations": [[name, settings] for name, settings in CONFIGURATIONS]},
                 ensure_ascii=False)[:-1] + ',\n"pairs": [')
rows = []
for hypothesis, references in every_pair:
    scores = [metric(name, settings).sentence_score(hypothesis, references).score for name, settings in CONFIGURATIONS]
    rows.append(json.dumps([hypothesis, references, scores], ensure_ascii=False, separators=(",", ":")))
print(",\n".join(rows) + '],\n"corpora": [')
print(",\n".join(json.dumps(of_corpus(chosen, every_pair), ensure_ascii=False, separators=(",", ":"))
                 for chosen in corpora(every_pair)) + "]}")
