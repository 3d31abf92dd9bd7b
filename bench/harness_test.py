#!/usr/bin/env python3
"""Tests of the code that computes and draws; nothing is measured."""
import contextlib
import io
import json
import os
import pathlib
import struct
import tempfile
import types
import unittest
from unittest import mock

from harness import peers, plots, profile, report, svg
from harness.ctranslate2_peer import best_way, library_of, other_library
from harness.peers import compared, fastest, train_in_turn, training_row
from harness.roofline import decoding_roof, product_rate, product_weights, training_roof
from harness.runs import BenchError, Failed, alternately, median_ratio, run
from harness.setups import SETUPS
from harness.tables import markdown_table, text_table
from harness.torch_peer import NoBfloat16, TorchPeer
from harness.torch_settings import core_type, given, how_it_ended, without_amx
from harness.train import steady


def quietly():
    """Drops progress notes."""
    return contextlib.redirect_stderr(io.StringIO())


class Runs(unittest.TestCase):
    def test_calm_rounds_count_and_disturbed_ones_are_tried_again(self):
        others = iter([1.0, 0.0, 0.0])
        once = lambda: {"others": next(others)}
        self.assertEqual(alternately(2, ours=once)["ours"], [{"others": 0.0}, {"others": 0.0}])

    def test_a_ratio_is_of_runs_that_followed_one_another(self):
        results = {"a": [{"x": 2}, {"x": 30}, {"x": 4}], "b": [{"x": 1}, {"x": 10}, {"x": 2}]}
        self.assertEqual(median_ratio(results, "x", "a", "b"), 2)

    def test_a_program_that_fails_is_told_of_with_what_it_said(self):
        with self.assertRaisesRegex(BenchError, "exit code 3\nno such thing"):
            run(["sh", "-c", "echo no such thing >&2; exit 3"])

    def test_a_program_that_dies_is_told_of_with_its_signal(self):
        with self.assertRaises(Failed) as raised:
            run(["sh", "-c", "kill -ILL $$"])
        self.assertEqual(how_it_ended(raised.exception.code), "dies of SIGILL")
        self.assertEqual(how_it_ended(3), "ends with exit code 3")

    def test_the_memory_of_a_program_is_its_own(self):
        large = bytearray(200 << 20)
        self.assertLess(run(["true"]).peak_mb, 50)
        self.assertEqual(len(large), 200 << 20)

    def test_the_first_interval_of_a_log_is_warming_up(self):
        line = lambda step, seconds, rate: {"step": step, "seconds": seconds, "tokens_per_second": rate}
        self.assertEqual(steady([line(2, 9.0, 1), line(4, 10.0, 50), line(6, 12.0, 20)]), (90.0, 3.0, 4))


class Roof(unittest.TestCase):
    def product_weights_of(self, shapes):
        header = json.dumps({name: {"shape": shape} for name, shape in shapes.items()}).encode()
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.safetensors"
            file.write_bytes(struct.pack("<Q", len(header)) + header)
            return product_weights(pathlib.Path(folder))

    def test_weights_count_for_the_side_whose_tokens_they_are_multiplied_with(self):
        shapes = {"words.table": [10, 4], "encoder.0.self.query.weight": [4, 4], "decoder.0.cross.key.weight": [4, 4],
                  "decoder.0.feed.in.weight": [4, 8], "output.bias": [10]}
        self.assertEqual(self.product_weights_of(shapes), [16 + 16, 32 + 40])

    def test_what_is_multiplied_once_a_sentence_does_not_count(self):
        fixed = {"bridge.0.h.weight": [4, 4], "decoder.context.weight": [4, 8], "decoder.0.U": [4, 12]}
        self.assertEqual(self.product_weights_of(fixed), [0, 48])
        self.assertEqual(self.product_weights_of({**fixed, "attention.score.U": [4, 4]}), [16, 48 + 32])

    def test_weights_beyond_the_cache_are_read_once_for_a_batch(self):
        row = {"product_weights": [0, 1000], "precision": "fp32", "beam": 1, "batch": 2,
               "dhyan": {"source_tokens": 1, "tokens": 1}}
        limits = {"peak_gflops": 1, "tile_gflops": 0, "read_gb_per_second": 1e-3}
        self.assertEqual(decoding_roof(row, {"vnni": True, "cache_bytes": 4000}, limits), 1e9 / 2000)
        self.assertEqual(decoding_roof(row, {"vnni": True, "cache_bytes": 3999}, limits), 1e6 * 2 / 4000)


    def test_bfloat16_has_twice_the_roof_where_there_are_instructions_for_it(self):
        corpus = {"pairs": 0, "source_tokens": 2, "target_tokens": 1}
        roof = lambda precision, has: training_roof({"product_weights": [100, 50], "precision": precision,
                                                     "dhyan": {"corpus": corpus}}, {"bfloat16": has},
                                                    {"peak_gflops": 3, "tile_gflops": 0})
        self.assertEqual(roof("float32", True), 3e9 / (6 * 250))
        self.assertEqual(roof("bfloat16", True), 2 * roof("float32", True))
        self.assertEqual(roof("bfloat16", False), roof("float32", False))

    def test_tiles_raise_the_roof_of_several_rows(self):
        machine, limits = {"bfloat16": True, "vnni": True}, {"peak_gflops": 3, "tile_gflops": 60}
        rate = lambda precision, rows: product_rate(precision, machine, limits, rows)
        self.assertEqual([rate("fp32", 32), rate("bfloat16", 32), rate("int8", 32)], [10e9, 60e9, 120e9])
        self.assertEqual([rate("fp32", 1), rate("int8", 1)], [3e9, 12e9])


class Compared(unittest.TestCase):
    def test_the_peer_has_the_faster_of_its_ways(self):
        rounds = lambda *rates: [{"tokens_per_second": rate} for rate in rates]
        slow, fast = rounds(2, 9, 1), rounds(3, 3, 3)
        self.assertIs(fastest(slow, fast), fast)

    def test_ours_stands_beside_theirs_by_medians(self):
        runs = lambda rate, memory: [{"tokens_per_second": rate, "peak_mb": memory}] * 2
        row = compared({"dhyan": runs(60, 4), "pytorch": runs(20, 10)}, ["tokens_per_second", "peak_mb"])
        self.assertEqual((row["ratio"], row["memory_ratio"]), (3, 0.4))
        self.assertEqual(row["dhyan"]["tokens_per_second"], 60)
        self.assertEqual(row["pytorch"]["tokens_per_second"], 20)

    def test_without_their_bfloat16_ours_stands_beside_their_float32(self):
        once = lambda rate, precision: [{"tokens_per_second": rate, "step_ms": 1, "tokens_per_step": 1, "peak_mb": 1,
                                         "others": 0, "precision": precision}]
        results = {"dhyan bfloat16": once(60, "bfloat16"), "pytorch float32": once(20, "float32")}
        row = training_row(results, "bfloat16")
        self.assertEqual((row["ratio"], row["ratio_to_float32"], row["pytorch"]["precision"]), (3, 3, "float32"))
        row = training_row({**results, "pytorch bfloat16": once(30, "bfloat16")}, "bfloat16")
        self.assertEqual((row["ratio"], row["ratio_to_float32"], row["pytorch"]["precision"]), (2, 3, "bfloat16"))

    def test_a_bfloat16_that_fails_is_named_and_the_rest_is_measured(self):
        def once(setup, threads, seconds, precision):
            if precision == "bfloat16":
                raise NoBfloat16("PyTorch's bfloat16: dies")
            return {"others": 0}

        missing = {}
        options = types.SimpleNamespace(rounds=1, threads=1, quick=True)
        with quietly(), mock.patch.object(peers.train, "train_once", lambda *_, **__: {"others": 0}):
            results = train_in_turn(SETUPS["rnn"], options, types.SimpleNamespace(train_once=once), missing)
        self.assertEqual(sorted(results), ["dhyan bfloat16", "dhyan float32", "pytorch float32"])
        self.assertEqual(missing, {"pytorch bfloat16, rnn": "PyTorch's bfloat16: dies"})


class TorchSettings(unittest.TestCase):
    AVX2 = {"sse2", "avx2", "fma"}
    AVX512 = AVX2 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}

    def chosen(self, core, told):
        """The settings that are chosen on a CPU with AVX-512."""
        peer = TorchPeer.__new__(TorchPeer)
        peer.settings, peer.ask_blas = {}, lambda: {"core": core, "told": told}
        with quietly(), mock.patch("harness.torch_peer.cpu_flags", lambda: self.AVX512):
            peer.choose_core()
        return peer.settings

    def test_openblas_is_told_the_core_if_it_takes_a_lesser_one(self):
        self.assertEqual(core_type("Prescott", self.AVX512), "SkylakeX")
        self.assertEqual(core_type("Zen", self.AVX512), "SkylakeX")
        self.assertEqual(core_type("Prescott", self.AVX2), "Haswell")
        self.assertEqual(core_type("Prescott", self.AVX2 | {"avx512f"}), "Haswell")  # SkylakeX needs more than that

    def test_a_core_that_is_good_enough_stays(self):
        for core, flags in [("SkylakeX", self.AVX512), ("Cooperlake", self.AVX512), ("Zen", self.AVX2),
                            ("Haswell", self.AVX2), ("Prescott", {"sse2"})]:
            self.assertIsNone(core_type(core, flags), core)

    def test_a_core_that_was_named_is_respected(self):
        self.assertEqual(self.chosen("Prescott", ""), {"OPENBLAS_CORETYPE": "SkylakeX"})
        self.assertEqual(self.chosen("Haswell", "Haswell"), {"OPENBLAS_CORETYPE": "Haswell"})
        self.assertEqual(self.chosen(None, ""), {}, "another BLAS")

    def test_what_the_user_set_is_among_the_settings(self):
        with mock.patch.dict(os.environ, {"OPENBLAS_CORETYPE": "Zen", "OTHER": "1"}, clear=True):
            self.assertEqual(given(), {"OPENBLAS_CORETYPE": "Zen"})

    def limited(self, settings, codes):
        """How often something was tried that ends with these codes, and whether it worked in the end."""
        tried = []

        def once(given):
            tried.append(given)
            if codes[len(tried) - 1] != 0:
                raise Failed("", codes[len(tried) - 1])

        with quietly():
            try:
                without_amx(once, settings)
            except Failed:
                return len(tried), False
        return len(tried), True

    def test_a_limit_is_kept_if_it_helps(self):
        settings = {"A": "1"}
        self.assertEqual(self.limited(settings, [-4, 0]), (2, True))
        self.assertEqual(settings, {"A": "1", "ONEDNN_MAX_CPU_ISA": "AVX512_CORE_BF16"})
        self.assertEqual(self.limited(settings, [-4]), (1, False))

    def test_a_limit_is_not_kept_if_it_does_not_help(self):
        settings = {}
        self.assertEqual(self.limited(settings, [-4, -4]), (2, False))
        self.assertEqual(settings, {})

    def test_only_an_unknown_instruction_asks_for_a_limit(self):
        self.assertEqual(self.limited({}, [-9]), (1, False))
        self.assertEqual(self.limited({}, [1]), (1, False))
        self.assertEqual(self.limited({"DNNL_MAX_CPU_ISA": "ALL"}, [-4]), (1, False), "the user's is respected")


class CTranslate2(unittest.TestCase):
    def best(self, rates):
        """Of rates by (split, CT2_USE_MKL) on a CPU where it takes MKL, and what was tried."""
        tried = []

        def once(split, mkl):
            tried.append((split, mkl))
            return {"tokens_per_second": rates[split, mkl], "library": "oneDNN" if mkl == "0" else "MKL",
                    "settings": split}

        with quietly():
            return best_way(["a", "b"], once), len(tried)

    def test_its_log_tells_the_library_of_a_precision(self):
        log = "[info]  - SGEMM backend: DNNL (packed: false)\n[info]  - GEMM_S8 backend: MKL (packed: true)\n"
        self.assertEqual(library_of(log, "fp32"), "oneDNN")
        self.assertEqual(library_of(log, "int8"), "MKL")
        self.assertEqual(library_of("", "int8"), "an unknown library")

    def test_the_library_that_it_does_not_take_by_itself_is_forced(self):
        self.assertEqual(other_library("MKL"), "0")
        self.assertEqual(other_library("oneDNN"), "1")
        self.assertIsNone(other_library("Ruy"))

    def test_the_fastest_of_threads_and_libraries_counts(self):
        rates = {("a", None): 2, ("b", None): 3, ("a", "0"): 4, ("b", "0"): 1}
        self.assertEqual(self.best(rates), (("a", "0"), 4))


class Shown(unittest.TestCase):
    def test_symbols_of_a_profile_are_gathered_by_kernel_and_library(self):
        softmax = "dhyan::kernels::N_AVX3::(anonymous namespace)::softmax(float*)"
        self.assertEqual(profile.part_of("dhyan", softmax), "softmax")
        self.assertEqual(profile.part_of("libc.so.6", "__memset_avx2_unaligned_erms"), "C and C++ libraries")
        self.assertEqual(profile.part_of("dhyan", "dhyan::Tape::sweep()"), "the rest of dhyan")

    def test_what_a_peer_was_told_stands_beside_its_version(self):
        result = {"versions": {"pytorch": "1", "ctranslate2": "2"}}
        self.assertEqual(plots.versions_of(result), "PyTorch 1, CTranslate2 2")
        result["settings"] = {"pytorch": {"A": "x", "B": "y"}}
        self.assertEqual(plots.versions_of(result), "PyTorch 1 (A=x, B=y), CTranslate2 2")

    def test_tables_line_up(self):
        self.assertEqual(text_table(["a", "b"], [["longer", "1"]]), "a       b\nlonger  1")
        self.assertEqual(markdown_table(["a", "b"], [["c", "1"]]), "| a | b |\n|---|---|\n| c | 1 |")

    def test_axes_have_round_numbers_beyond_the_largest(self):
        self.assertEqual(svg.ticks(3.1), [0, 1, 2, 3, 4])
        self.assertEqual(svg.ticks(100), [0, 20, 40, 60, 80, 100])

    def test_the_page_shows_what_the_results_say(self):
        with tempfile.TemporaryDirectory() as folder:
            drawn = report.drawn(pathlib.Path(folder))
            page = report.PAGE.read_text(encoding="utf-8")
            self.assertEqual(page, drawn, "script/bench report --draw writes it anew")
            for plot in pathlib.Path(folder).glob("*.svg"):
                self.assertEqual((report.FOLDER / plot.name).read_text(), plot.read_text(), plot.name)

    def test_every_block_is_on_the_page(self):
        named = [name for _, name, _ in report.BLOCK.findall(report.PAGE.read_text(encoding="utf-8"))]
        self.assertEqual(sorted(named), sorted(plots.BLOCKS))


if __name__ == "__main__":
    unittest.main()
