"""Calls of the Python clients. Each takes the server's address, and fails unless the answer is right."""
import deepl
import openai
from deep_translator import LibreTranslator
from libretranslatepy import LibreTranslateAPI

HINDI, ENGLISH = "मैं दूध चाहता हूँ।", "I want milk."
MORE_HINDI, MORE_ENGLISH = "वे चाय लाते हैं।", "They bring tea."


CALLS = {}  # by name


def call(function):
    CALLS[function.__name__.replace("_", "-")] = function
    return function


def equal(given, expected):
    assert given == expected, f"{given!r}, expected {expected!r}"


@call
def libretranslatepy_languages(address):
    equal({each["code"]: each["targets"] for each in LibreTranslateAPI(address).languages()},
          {"en": ["hi"], "fr": ["en"], "hi": ["en"]})


@call
def libretranslatepy_languages_with_key(address):
    equal(len(LibreTranslateAPI(address, api_key="0123").languages()), 3)


@call
def libretranslatepy_detect(address):
    best = LibreTranslateAPI(address).detect(HINDI)[0]
    equal(best["language"], "hi")
    assert best["confidence"] > 90, best


@call
def libretranslatepy_translate(address):
    equal(LibreTranslateAPI(address).translate(HINDI, "hi", "en"), ENGLISH)


@call
def libretranslatepy_translate_with_key(address):
    equal(LibreTranslateAPI(address, api_key="0123").translate(f"{HINDI}\n\n{MORE_HINDI}", "auto", "en"),
          f"{ENGLISH}\n\n{MORE_ENGLISH}")


def deep_translator(address):
    return LibreTranslator(source="hi", target="en", api_key="0123", custom_url=f"{address}/")


@call
def deep_translator_translate(address):
    equal(deep_translator(address).translate(HINDI), ENGLISH)


@call
def deep_translator_translate_batch(address):
    equal(deep_translator(address).translate_batch([HINDI, MORE_HINDI]), [ENGLISH, MORE_ENGLISH])


def deepl_client(address):
    return deepl.DeepLClient("0123", server_url=address)


@call
def deepl_source_languages(address):
    equal([(each.code, each.name) for each in deepl_client(address).get_source_languages()],
          [("EN", "English"), ("FR", "French"), ("HI", "Hindi")])


@call
def deepl_target_languages(address):
    equal([each.code for each in deepl_client(address).get_target_languages()], ["HI", "EN-GB", "EN-US"])


@call
def deepl_usage(address):
    usage = deepl_client(address).get_usage()
    assert usage.character.valid and usage.character.count >= 0 and not usage.any_limit_reached, usage


@call
def deepl_translate(address):
    result = deepl_client(address).translate_text(HINDI, target_lang="EN-US")
    equal((result.text, result.detected_source_lang, result.billed_characters), (ENGLISH, "HI", len(HINDI)))


@call
def deepl_translate_list(address):
    results = deepl_client(address).translate_text([HINDI, MORE_HINDI], source_lang="HI", target_lang="EN-GB",
                                                   formality="prefer_more", preserve_formatting=True, context="drinks")
    equal([result.text for result in results], [ENGLISH, MORE_ENGLISH])


@call
def deepl_translate_html(address):
    result = deepl_client(address).translate_text("<p>मैं <b>दूध</b> चाहता हूँ।</p>", source_lang="HI",
                                                  target_lang="EN-US", tag_handling="html")
    equal(result.text, "<p>I want <b>milk</b>.</p>")


@call
def deepl_translate_xml(address):
    result = deepl_client(address).translate_text("<a><x>हम</x> वे <b>चाय</b> लाते हैं।</a>", source_lang="HI",
                                                  target_lang="EN-US", tag_handling="xml", ignore_tags="x",
                                                  split_sentences="nonewlines", outline_detection=False)
    equal(result.text, "<a><x>हम</x> They bring <b>tea</b>.</a>")


def openai_client(address):
    return openai.OpenAI(api_key="0123", base_url=f"{address}/v1")


@call
def openai_models(address):
    equal([model.id for model in openai_client(address).models.list()], ["hi-en", "en-hi", "fr-en", "text", "blanks"])


@call
def openai_completion(address):
    answer = openai_client(address).completions.create(model="text", prompt="I want", max_tokens=8, temperature=0)
    equal((answer.object, len(answer.choices), answer.usage.completion_tokens), ("text_completion", 1, 8))
    assert answer.choices[0].finish_reason == "length" and answer.choices[0].text, answer


@call
def openai_completions_of_one_prompt(address):
    answer = openai_client(address).completions.create(model="text", prompt="We", max_tokens=4, n=3, seed=7, echo=True,
                                                       top_p=0.9, stop=".")
    equal([choice.index for choice in answer.choices], [0, 1, 2])
    assert all(choice.text.startswith("We") and "." not in choice.text for choice in answer.choices), answer


@call
def openai_stream(address):
    client = openai_client(address)
    options = {"model": "text", "prompt": "They", "max_tokens": 12, "temperature": 0}
    pieces = list(client.completions.create(stream=True, **options))
    equal("".join(piece.choices[0].text for piece in pieces), client.completions.create(**options).choices[0].text)
    equal(pieces[-1].choices[0].finish_reason, "length")


@call
def openai_embedding(address):
    answer = openai_client(address).embeddings.create(model="blanks", input=ENGLISH)
    equal(len(answer.data[0].embedding), 32)


@call
def openai_embeddings_as_floats(address):
    client, texts = openai_client(address), [ENGLISH, MORE_ENGLISH]
    floats = client.embeddings.create(model="blanks", input=texts, encoding_format="float")
    equal([each.index for each in floats.data], [0, 1])
    for one, other in zip(floats.data, client.embeddings.create(model="blanks", input=texts).data):
        assert all(abs(x - y) < 1e-6 for x, y in zip(one.embedding, other.embedding, strict=True))

