#!/usr/bin/env python3
"""BLEU, chrF and TER by sacreBLEU, for tests/bleu_golden_test.cpp.

    python3 -m venv venv && venv/bin/pip install sacrebleu==2.6.0
    venv/bin/python tests/golden/make_bleu.py > tests/golden/bleu.json

Translations are made from references by formulas: a word less, two words swapped, another case, nothing at all. Every
sentence is scored alone with every configuration, and some are scored together as corpora. The version is left out of
the signatures; it is not sacreBLEU's that the test must print. Confidence is not in here: it depends on numbers drawn.
"""
import json

from sacrebleu import __version__
from sacrebleu.metrics import BLEU, CHRF, TER

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
    ["He's here: it's the dogs' (and Jess's) \"bone\"'s end, isn't it?", "he 's here ; it is the dog's bone , is n't it ?"],
    ["“Curly” ‘quotes’ – and — dashes… 50 °C, £3.20/kg, §4", "\"Curly\" 'quotes' - and -- dashes... 50°C; £3.2 a kg, §4"],
    ["1,000.5 -3 +4 2-3 a-1 1-a 3.14.15 1,,2 .,.", "1000.5 - 3 + 4 2 - 3 a - 1 3.14 1,2"],
    ["٪٥٠ خصم! (اليوم فقط) «عرض»: ٢٠٢٤/٠٥/٠١؛ نعم", "خصم ٥٠٪ اليوم، عرض ٢٠٢٤-٠٥-٠١"],
    ["وَقَالَ لَهُ: «السَّلامُ عَلَيْكُمْ» ثُمَّ انْصَرَفَ.", "وقال له السلام عليكم ثم انصرف ."],
    ["این «کتاب» را می‌خوانم؛ تو چه می‌خوانی؟", "این کتاب را میخوانم، تو چه؟"],
    ["یہ میری کتاب ہے۔ آپ کی؟ ۱۲۳", "یہ کتاب میری ہے ۔ 123"],
    ["他花了¥3,000(约$450)买了iPhone 15、耳机和“保护壳”!", "他用3000元买了 iPhone 15 ,耳机 , 保护壳 。"],
    ["㈱東京㍿の①②③番、〇〇さん・ｶﾅ〜", "株式会社東京の1 2 3番、〇〇さん"],
    ["カタカナとひらがな、漢字。「引用」（括弧）", "漢字 と カタカナ 、 ひらがな 。 『引用』"],
    ["繁體中文:臺灣在⼀⼆𠀀𠮷㐀豈之間——真的嗎?", "繁体中文 : 台湾在一二之间 , 真的吗 ?"],
    ["Ťažký deň, že? Žluťoučký kůň úpěl ďábelské ódy č. 1.", "Tažky den ze? Žluťoučký kůň pěl ódy č.1"],
    ["Đây là tiếng Việt: “Tôi ăn cơm” – 50.000₫", "Đây là tiếng Việt, tôi ăn cơm 50,000₫."],
    ["Ӏ, палочка: хӀума! Ёлка-ёлка, №5; 5-й", "палочка хIума. елка ёлка № 5, 5й"],
    ["ᓀᐦᐃᔭᐍᐏᐣ ⵜⵉⴼⵉⵏⴰⵖ ᚠᚢᚦ ፊደል፡ነው።", "ⵜⵉⴼⵉⵏⴰⵖ ፊደል ነው ።"],
    ["ខ្ញុំ​បាន​ញ៉ាំ​បាយ។ ລາວກິນເຂົ້າ ၁၂၃။", "ខ្ញុំញ៉ាំបាយ ၁၂၃ ။"],
    ["e\u0301te\u0301 ạ̈ n\u0303 Å Å क\u093c ड\u093c", "été ä ñ Å क़ ड़"],
    ["\u2066left\u2069 \u200fright\u200e bom\ufeff word\u2060join", "left right bom word join"],
    ["tab\tand\u000bvt\u000cff\u1680og\u2003em\u205fmm", "tab and vt ff og em mm"],
    ["C++ > C#; a_b = f(x)[i]; // <T>&& {}", "C + + C # a _ b = f ( x )"],
    ["@user: #tag http://t.co/x1 RT … ;-) <3", "user tag http t.co RT ;) ❤️"],
    ["a b c d e f g h i j k l m n o p q r s t u v w x y z", "z y x w v u t s r q p o n m l k j i h g f e d c b a",
     "n o p q r s t u v w x y z a b c d e f g h i j k l m"],
    ["to be or not to be that is the question whether it is nobler", "that is the question to be or not to be it is",
     "or not to be to be whether nobler it is the question that is"],
    ["x x y x x y y x y x x x y y x y x y y x", "y y x x y x y x x y x y y y x x y x x x"],
    # Longer than the beam of TER is wide, and with more ways to shift than it tries.
    [" ".join(str(i * 7 % 60) for i in range(60)), " ".join(str(i * 11 % 60) for i in range(60)), "0 1 2"],
    [" ".join(str(i * i % 13) for i in range(110)), " ".join(str(i * 5 % 13) for i in range(70))],
    ["long", " ".join("long" if i % 9 == 0 else "l" + str(i % 5) for i in range(130))],
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
    lambda line: " ".join(line.split(" ")[3:] + line.split(" ")[:3]),
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
    + [("BLEU", {"tokenize": t, "smooth_method": s}) for t in ("13a", "none", "char", "zh")
       for s in ("none", "floor", "add-k")]
    + [("BLEU", {"tokenize": "zh"})]
    + [("CHRF", {"word_order": w, "lowercase": l}) for w in (0, 2) for l in (False, True)]
    + [("CHRF", {"whitespace": True}), ("CHRF", {"word_order": 1, "eps_smoothing": True}),
       ("CHRF", {"char_order": 4, "word_order": 2, "beta": 3})]
    + [("TER", {}), ("TER", {"normalized": True}), ("TER", {"no_punct": True}), ("TER", {"case_sensitive": True}),
       ("TER", {"normalized": True, "no_punct": True}), ("TER", {"asian_support": True, "no_punct": True}),
       ("TER", {"asian_support": True, "normalized": True, "case_sensitive": True})]
)


def metric(name, settings):
    if name == "BLEU":
        return BLEU(force=True, **settings)
    return (CHRF if name == "CHRF" else TER)(**settings)


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
