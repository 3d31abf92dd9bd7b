"""Writes tests/golden/checkpoints: small models of other toolkits with random weights, in the files of those toolkits, and
what the toolkits answer. Development only:

    python3 -m venv venv && venv/bin/pip install torch==2.5.1 transformers==4.40.2 'numpy<2' subword-nmt configargparse
    venv/bin/pip install --no-deps OpenNMT-py==2.3.0
    venv/bin/python tests/golden/make_checkpoints.py

BERT and GPT-2 are those of transformers, with tokenizers that are trained here. fairseq cannot be installed beside a
recent PyTorch: its checkpoint is written here with its names, and `Fairseq` computes its Transformer from the definition.
OpenNMT-py's layers are its own; the torchtext that it wants is only for reading data, and stands in as a mock."""

import argparse
import io
import json
import math
import pathlib
import shutil
import sys
import types
from unittest import mock

import torch
from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe
from tokenizers import BertWordPieceTokenizer, ByteLevelBPETokenizer
from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast, GPT2Config, GPT2LMHeadModel, GPT2TokenizerFast

FOLDER = pathlib.Path(__file__).parent / "checkpoints"

TEXT = [
    "The cat sat on the mat, and the dog sat on the cat.",
    "She can't see what they've done; we'll tell them it's late.",
    "Prices rose by 12.5% to $1,234 in 2024!",
    "Él está aquí, mañana no: ¿qué pasó?",
    "L'été à Genève coûte très cher, n'est-ce pas?",
    "Straße, Öl und Übermut — ÄÖÜ",
    "मैं खाना खा रहा हूँ और पानी पी रहा हूँ।",
    "ज़िंदगी में बड़े काम करने हैं।",
    "我在吃饭，你好世界。",
    "日本語のテキストです。",
    "안녕하세요 세계",
    "Привет, мир! Ёлка и йод.",
    "مرحبا بالعالم، كيف الحال؟",
    "สวัสดีชาวโลก",
    "İstanbul'da ΣΊΣΥΦΟΣ",
]
LINES = TEXT + [
    "",
    " ",
    "  two  spaces   and a tab\there ",
    "I'LL say 'tis, they'd've; o'clock",
    "emoji 👍🏽 and 🤗, e\u0301 decomposed, zero\u200bwidth, nbsp\u00a0here, soft\u00adhyphen",
    "a_b-c/d\\e (f) [g] {h} <i> ~j~ `k` ^l^ |m| @n #o",
    "x" * 120,
    "unknown ☃ snow؟ \u0001control \ufffd",
    "１２３ Ⅷ ½ x² n°5",
    "newline\nin the middle\n\n  of it \n",
    "[mask]",
]


def write_json(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def randomise(model):
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.4)
    return model.eval()


def fresh(name):
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def one_line(lines):
    return [line for line in lines if "\n" not in line]


def bert(name, safe):
    folder = fresh(name)
    cased = not safe
    learner = BertWordPieceTokenizer(lowercase=not cased)
    learner.train_from_iterator(TEXT, vocab_size=420, min_frequency=1, show_progress=False)
    learner.save_model(str(folder))
    tokenizer = BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=not cased)
    config = BertConfig(vocab_size=tokenizer.vocab_size, hidden_size=8, num_hidden_layers=2, num_attention_heads=2,
                        intermediate_size=12, max_position_embeddings=160)
    model = randomise(BertForMaskedLM(config))
    model.save_pretrained(folder, safe_serialization=safe)
    (folder / "generation_config.json").unlink(missing_ok=True)
    write_json(folder / "tokenizer_config.json", {"do_lower_case": not cased})
    gapped = "The [MASK] sat on the mat."
    with torch.no_grad():
        vectors = []
        for line in TEXT[:6]:
            batch = tokenizer([line], return_tensors="pt")
            vectors.append(model.bert(**batch).last_hidden_state[0].mean(0).tolist())
        batch = tokenizer([gapped], return_tensors="pt")
        at = (batch["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0, 0]
        p = model(**batch).logits[0, at].softmax(-1)
    best = [int(i) for i in p.argsort(descending=True) if tokenizer.convert_ids_to_tokens(int(i))[0] != "["][:3]
    write_json(FOLDER / f"{name}.json", {
        "lines": one_line(LINES),
        "tokens": [tokenizer.tokenize(line) for line in one_line(LINES)],
        "sentences": TEXT[:6],
        "vectors": vectors,
        "gapped": gapped,
        "fillings": [[tokenizer.convert_ids_to_tokens(i), float(p[i])] for i in best],
    })


def gpt2():
    folder = fresh("gpt2")
    learner = ByteLevelBPETokenizer()
    learner.train_from_iterator(TEXT, vocab_size=420, min_frequency=1, show_progress=False,
                                special_tokens=["<|endoftext|>"])
    learner.save_model(str(folder))
    tokenizer = GPT2TokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"))
    config = GPT2Config(vocab_size=len(tokenizer), n_positions=64, n_embd=8, n_layer=2, n_head=2, bos_token_id=0,
                        eos_token_id=0)
    model = randomise(GPT2LMHeadModel(config))
    model.save_pretrained(folder, safe_serialization=True)
    (folder / "generation_config.json").unlink(missing_ok=True)
    texts = ["The cat sat", "मैं खाना", "They're here.\n\nNot there"]
    with torch.no_grad():
        scores = []
        for text in texts:
            ids = torch.tensor([[0] + tokenizer(text)["input_ids"]])
            p = model(ids).logits[0, :-1].log_softmax(-1)
            scores.append([float(p[i, token]) for i, token in enumerate(ids[0, 1:])])
    write_json(FOLDER / "gpt2.json", {
        "lines": LINES,
        "tokens": [tokenizer.tokenize(line) for line in LINES],
        "texts": texts,
        "log_p": scores,
    })


def sinusoids(rows, width, first):
    half = width // 2
    rates = torch.exp(torch.arange(half) * -(math.log(10000) / (half - 1)))
    angles = torch.arange(first, first + rows).unsqueeze(1) * rates.unsqueeze(0)
    return torch.cat([angles.sin(), angles.cos()], 1)


class Fairseq:
    """fairseq's Transformer with the weights of a checkpoint; sentences end in </s>, 2, with which the decoder starts."""

    def __init__(self, weights, args):
        self.w, self.args = weights, args

    def linear(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def norm(self, x, name):
        return torch.nn.functional.layer_norm(x, x.shape[-1:], self.w[name + ".weight"], self.w[name + ".bias"], 1e-5)

    def attention(self, x, memory, name, causal):
        heads, width = self.args.encoder_attention_heads, x.shape[1]
        split = lambda y: y.view(len(y), heads, width // heads).transpose(0, 1)
        q = split(self.linear(x, name + ".q_proj") * (width // heads) ** -0.5)
        k, v = split(self.linear(memory, name + ".k_proj")), split(self.linear(memory, name + ".v_proj"))
        energy = q @ k.transpose(1, 2)
        if causal:
            energy = energy + torch.full(energy.shape[1:], float("-inf")).triu(1)
        return self.linear((energy.softmax(-1) @ v).transpose(0, 1).reshape(len(x), width), name + ".out_proj")

    def around(self, x, name, f):
        before = self.args.encoder_normalize_before
        y = x + f(self.norm(x, name) if before else x)
        return y if before else self.norm(y, name)

    def stack(self, ids, stack, source=None):
        width = self.args.encoder_embed_dim
        x = self.w[stack + ".embed_tokens.weight"][ids] * math.sqrt(width) + sinusoids(len(ids), width, 2)
        for layer in range(getattr(self.args, stack + "_layers")):
            name = f"{stack}.layers.{layer}."
            x = self.around(x, name + "self_attn_layer_norm",
                            lambda y: self.attention(y, y, name + "self_attn", source is not None))
            if source is not None:
                x = self.around(x, name + "encoder_attn_layer_norm",
                                lambda y: self.attention(y, source, name + "encoder_attn", False))
            x = self.around(x, name + "final_layer_norm",
                            lambda y: self.linear(self.linear(y, name + "fc1").relu(), name + "fc2"))
        return self.norm(x, stack + ".layer_norm") if self.args.encoder_normalize_before else x

    def log_p(self, source, target):
        memory = self.stack(torch.tensor(source), "encoder")
        out = self.stack(torch.tensor([2] + target[:-1]), "decoder", memory)
        table = self.w.get("decoder.output_projection.weight", self.w["decoder.embed_tokens.weight"])
        return (out @ table.T).log_softmax(-1)

    def greedy(self, source, longest):
        target = [2]
        while len(target) <= longest:
            p = self.log_p(source, target)[-1]
            p[[1, 3]] = float("-inf")  # <pad> and, in dhyan, <unk>
            target[-1:] = [int(p.argmax()), 2]
            if target[-2] == 2:
                break
        return target[:-1]


def fairseq():
    folder = fresh("fairseq")
    codes = io.StringIO()
    learn_bpe(io.StringIO("\n".join(TEXT)), codes, 60, min_frequency=1)
    (folder / "bpe.codes").write_text(codes.getvalue(), encoding="utf-8")
    bpe = BPE(io.StringIO(codes.getvalue()))
    pieces = {side: sorted({piece for line in lines for piece in bpe.process_line(line).split()})
              for side, lines in {"en": TEXT[:3], "xx": TEXT[2:9]}.items()}
    for side, known in pieces.items():
        (folder / f"dict.{side}.txt").write_text("".join(f"{piece} 1\n" for piece in known), encoding="utf-8")
    rows = {side: ["<s>", "<pad>", "</s>", "<unk>"] + known for side, known in pieces.items()}
    args = argparse.Namespace(
        task="translation", source_lang="en", target_lang="xx", encoder_embed_dim=8, decoder_embed_dim=8,
        encoder_layers=2, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_embed_dim=12, decoder_ffn_embed_dim=12, encoder_normalize_before=True, decoder_normalize_before=True,
        activation_fn="relu", share_decoder_input_output_embed=True, dropout=0.1, lr=[0.001], user_dir=None)
    generator = torch.Generator().manual_seed(3)
    weights = {}

    def add(name, *shape):
        weights[name] = torch.randn(shape, generator=generator) * 0.4

    for stack, side in (("encoder", "en"), ("decoder", "xx")):
        weights[stack + ".version"] = torch.tensor([3.0])
        add(stack + ".embed_tokens.weight", len(rows[side]), 8)
        weights[stack + ".embed_positions._float_tensor"] = torch.tensor([1.0])
        for layer in range(2):
            name = f"{stack}.layers.{layer}."
            for attention in ["self_attn"] + (["encoder_attn"] if stack == "decoder" else []):
                for part in ("k_proj", "v_proj", "q_proj", "out_proj"):
                    add(f"{name}{attention}.{part}.weight", 8, 8)
                    add(f"{name}{attention}.{part}.bias", 8)
                add(f"{name}{attention}_layer_norm.weight", 8)
                add(f"{name}{attention}_layer_norm.bias", 8)
            for part, out, into in (("fc1", 12, 8), ("fc2", 8, 12)):
                add(f"{name}{part}.weight", out, into)
                add(f"{name}{part}.bias", out)
            add(name + "final_layer_norm.weight", 8)
            add(name + "final_layer_norm.bias", 8)
        add(stack + ".layer_norm.weight", 8)
        add(stack + ".layer_norm.bias", 8)
    weights["decoder.output_projection.weight"] = weights["decoder.embed_tokens.weight"]
    torch.save({"args": args, "model": weights, "optimizer_history": [{"num_updates": 3, "lr_scheduler_state": {"best": 1.5}}],
                "extra_state": {"epoch": 1}}, folder / "checkpoint_best.pt")

    model = Fairseq(weights, args)
    number = lambda side, line: [rows[side].index(piece) if piece in rows[side] else 3
                                 for piece in bpe.process_line(line).split()] + [2]
    pairs = [(TEXT[0], TEXT[3]), (TEXT[1], TEXT[6]), ("the cat", "12.5%")]
    scores = []
    for source, target in pairs:
        ids = number("xx", target)
        p = model.log_p(number("en", source), ids)
        scores.append(float(sum(p[i, token] for i, token in enumerate(ids))))
    greedy = [" ".join(rows["xx"][i] for i in model.greedy(number("en", source), 12)) for source, _ in pairs]
    lines = [line for line in one_line(LINES) if "\t" not in line and "\u00a0" not in line]  # dhyan has them between words
    write_json(FOLDER / "fairseq.json", {
        "lines": lines, "tokens": [bpe.process_line(line).split() for line in lines],
        "pairs": pairs, "log_p": scores, "greedy": greedy,
    })


def without_torchtext():
    """OpenNMT-py's modules, whose import wants classes of torchtext."""
    for name in ("torchtext", "torchtext.data", "torchtext.vocab", "torchtext.legacy", "torchtext.legacy.data",
                 "torchtext.legacy.vocab", "torchtext.legacy.data.utils", "pyonmttok", "waitress", "flask"):
        sys.modules[name] = mock.MagicMock()
    for name in ("torchtext.data", "torchtext.legacy.data"):
        for kind in ("Field", "RawField", "Dataset", "Example", "Iterator", "Batch"):
            setattr(sys.modules[name], kind, type(kind, (), {}))
    from onmt.decoders.transformer import TransformerDecoder
    from onmt.encoders.transformer import TransformerEncoder
    from onmt.modules import Embeddings
    return Embeddings, TransformerEncoder, TransformerDecoder


def opennmt():
    folder = fresh("opennmt")
    Embeddings, TransformerEncoder, TransformerDecoder = without_torchtext()
    words = {"src": ["<unk>", "<blank>"], "tgt": ["<unk>", "<blank>", "<s>", "</s>"]}
    for side, lines in (("src", TEXT[:3]), ("tgt", TEXT[3:6])):
        words[side] += sorted({word for line in lines for word in line.split()})
    embeddings = {side: Embeddings(8, len(known), 1, position_encoding=True) for side, known in words.items()}
    encoder = randomise(TransformerEncoder(2, 8, 2, 12, 0.0, 0.0, embeddings["src"], 0))
    decoder = TransformerDecoder(2, 8, 2, 12, False, "scaled-dot", 0.0, 0.0, embeddings["tgt"], 0, False, False, 0, 0)
    decoder = randomise(decoder)
    generator = randomise(torch.nn.Sequential(torch.nn.Linear(8, len(words["tgt"])), torch.nn.LogSoftmax(-1)))
    # Vocabularies are objects of torchtext; those of this name are read as records.
    module = types.ModuleType("torchtext.legacy.vocab")
    module.Vocab = type("Vocab", (), {"__module__": module.__name__})
    module.Field = type("Field", (), {"__module__": module.__name__})
    sys.modules[module.__name__] = module
    fields = {}
    for side, known in words.items():
        vocab, field, whole = module.Vocab(), module.Field(), module.Field()
        vocab.itos = known
        field.vocab, field.sequential = vocab, True
        whole.fields = [(side, field)]
        fields[side] = whole
    opt = argparse.Namespace(
        model_task="seq2seq", encoder_type="transformer", decoder_type="transformer", enc_layers=2, dec_layers=2, heads=2,
        transformer_ff=12, enc_rnn_size=8, dec_rnn_size=8, src_word_vec_size=8, tgt_word_vec_size=8, position_encoding=True,
        max_relative_positions=0, pos_ffn_activation_fn="relu", share_embeddings=False, share_decoder_embeddings=False,
        copy_attn=False, self_attn_type="scaled-dot", param_init=0.0)
    weights = {f"encoder.{name}": value for name, value in encoder.state_dict().items()}
    weights |= {f"decoder.{name}": value for name, value in decoder.state_dict().items()}
    for side in ("encoder", "decoder"):  # 5,000 rows that have a formula; the first ones show it
        name = f"{side}.embeddings.make_embedding.pe.pe"
        weights[name] = weights[name][:40].clone()
    generated = {name: value for name, value in generator.state_dict().items()}
    torch.save({"model": weights, "generator": generated, "vocab": fields, "opt": opt, "optim": {"training_step": 10}},
               folder / "model_step_10.pt")
    number = lambda side, line: [words[side].index(word) if word in words[side] else 0 for word in line.split()]
    pairs = [(TEXT[0], TEXT[3]), (TEXT[1], TEXT[4]), ("the cat", "mañana unheard")]
    scores = []
    with torch.no_grad():
        for source, target in pairs:
            src = torch.tensor(number("src", source)).view(-1, 1, 1)
            tgt = torch.tensor([2] + number("tgt", target)).view(-1, 1, 1)
            state, memory, lengths = encoder(src, torch.tensor([len(src)]))
            decoder.init_state(src, memory, state)
            out, _ = decoder(tgt, memory, memory_lengths=lengths)
            p = generator(out)[:, 0]
            scores.append(float(sum(p[i, token] for i, token in enumerate(number("tgt", target) + [3]))))
    write_json(FOLDER / "opennmt.json", {"pairs": pairs, "log_p": scores})


if __name__ == "__main__":
    bert("bert", safe=True)
    bert("bert-cased", safe=False)
    gpt2()
    fairseq()
    opennmt()
