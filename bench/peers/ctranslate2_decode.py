#!/usr/bin/env python3
"""Translates sentences with CTranslate2 and prints, as JSON, how long it took, without loading and
tokenizing. Each line of the input is a JSON list of the tokens of a sentence, </s> included; so is each line of
--output."""
import argparse
import json
import time

import ctranslate2


def translate(translator, sentences, a):
    forced = {"min_decoding_length": a.length, "max_decoding_length": a.length} if a.length else {}
    results = translator.translate_batch(sentences, beam_size=a.beam, max_batch_size=a.batch, batch_type="examples",
                                         **forced)
    return [result.hypotheses[0] for result in results]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("model")
    p.add_argument("sources")
    p.add_argument("--beam", type=int, default=1)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--length", type=int, default=0, help="tokens of every translation; 0: as the model ends it")
    p.add_argument("--inter-threads", type=int, default=1, help="batches at the same time")
    p.add_argument("--intra-threads", type=int, default=1, help="threads for each of them")
    p.add_argument("--compute-type", default="float32")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--output")
    a = p.parse_args()
    translator = ctranslate2.Translator(a.model, device="cpu", compute_type=a.compute_type,
                                        inter_threads=a.inter_threads, intra_threads=a.intra_threads)
    with open(a.sources, encoding="utf-8") as lines:
        sentences = [json.loads(line) for line in lines]
    translate(translator, sentences[: max(16, 2 * a.batch)], a)  # warms up, as dhyan does: weights are put in place
    seconds, cpu_seconds = [], []
    for _ in range(a.rounds):
        start, cpu = time.perf_counter(), time.process_time()
        translations = translate(translator, sentences, a)
        seconds.append(time.perf_counter() - start)
        cpu_seconds.append(time.process_time() - cpu)
    if a.output:
        with open(a.output, "w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(tokens, ensure_ascii=False) + "\n" for tokens in translations)
    print(json.dumps({"version": ctranslate2.__version__, "sentences": len(sentences),
                      "tokens": sum(map(len, translations)), "seconds": seconds, "cpu_seconds": cpu_seconds}))


if __name__ == "__main__":
    main()
