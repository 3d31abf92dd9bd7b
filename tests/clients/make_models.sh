#!/usr/bin/env bash
# Trains small models within seconds, for real clients and for tests of the server. hi-en, en-hi and fr-en translate a
# language of 96 sentences, with a full stop or without, and know no other words; text continues one, blanks embeds one.
set -euo pipefail

if (($# != 2)); then
  echo "usage: make_models.sh DHYAN FOLDER" >&2
  exit 2
fi
dhyan=$1
mkdir -p "$2"
cd "$2"

who=("मैं हूँ I Je" "तुम हो You Tu" "हम हैं We Nous" "वे हैं They Ils")
verbs=("देखत see vois vois voyons voient" "चाहत want veux veux voulons veulent"
  "लात bring apporte apportes apportons apportent" "खरीदत buy achète achètes achetons achètent")
objects=("रोटी bread le pain" "दूध milk le lait" "चावल rice le riz" "चाय tea le thé" "फल fruit le fruit" "पानी water la soupe")

# Hindi has the verb at the end, so words change places. The links say which word comes from which.
for i in 0 1 2 3; do
  read -r hi_who auxiliary en_who fr_who <<<"${who[i]}"
  for verb in "${verbs[@]}"; do
    read -r stem en_verb fr_verbs <<<"$verb"
    read -r -a fr_verb <<<"$fr_verbs"
    for object in "${objects[@]}"; do
      read -r hi_object en_object fr_object <<<"$object"
      for stop in "" "।"; do
        echo "$hi_who $hi_object $stem$( ((i == 0)) && echo ा || echo े) $auxiliary$stop" >&3
        echo "$en_who $en_verb $en_object${stop:+.}" >&4
        echo "$fr_who ${fr_verb[i]} $fr_object${stop:+.}" >&5
        echo "0-0 2-1 3-1 1-2" >&6
        echo "0-0 1-2 1-3 2-1" >&7
        echo "0-0 1-1 2-2 3-2" >&8
      done
    done
  done
done 3>train.hi 4>train.en 5>train.fr 6>links.hi-en 7>links.en-hi 8>links.fr-en

# train NAME OPTION...
train() {
  "$dhyan" train --output "$1" --tokenizer unigram --vocabulary-size 90 --dropout 0 --hidden 32 \
    --batch-tokens 400 --validate-epochs 20 --max-epochs 20 --learning-rate 0.01 "${@:2}" >"$1.log" 2>&1 || {
    cat "$1.log" >&2
    exit 1
  }
}

# translate FROM TO
translate() {
  train "$1-$2" --train "train.$1" "train.$2" --valid "train.$1" "train.$2" --guided-alignment "links.$1-$2" \
    --guided-weight 1 --embedding 32 --readout-hidden 32
}

translate hi en
translate en hi
translate fr en
train text --model language-model --context-length 32 --feed-forward 64 --train train.en --valid train.en
train blanks --model masked-language-model --feed-forward 64 --train train.en --valid train.en
