#!/usr/bin/env bash
# Installs a build, builds the examples against what is installed, by find_package and by pkg-config, and runs them.
#   tests/install_test.sh BUILD_FOLDER
set -euo pipefail
build=$(readlink -f "$1")
source=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "install_test: $*" >&2
  exit 1
}

prefix=$work/usr
cmake --build "$build" --target dhyan_installed >"$work/log" 2>&1 || { cat "$work/log" && fail "the build failed"; }
cmake --install "$build" --prefix "$prefix" >/dev/null
for file in bin/dhyan lib/libdhyan.so.1 lib/libdhyan.so lib/libdhyan.a lib/pkgconfig/dhyan.pc share/man/man1/dhyan.1 \
  share/bash-completion/completions/dhyan share/zsh/vendor-completions/_dhyan share/fish/vendor_completions.d/dhyan.fish \
  include/dhyan/dhyan.h lib/cmake/dhyan/dhyan-config.cmake; do
  [[ -s $prefix/$file ]] || fail "$file is not installed"
done

# What programs see of the library: its API, and nothing of what it is made of.
foreign=$(nm --dynamic --defined-only --demangle "$prefix/lib/libdhyan.so" |
  grep -v -E ' (dhyan::v1::|(typeinfo|typeinfo name|vtable) for dhyan::|non-virtual thunk|LIBDHYAN_1)' || true)
[[ -z $foreign ]] || fail "libdhyan.so gives to others: $foreign"

# Compiled as a program sees them, the headers read the standard library and the compiler's own headers alone.
c++ -std=c++20 -M -I "$prefix/include" "$prefix/include/dhyan/dhyan.h" | tr -s ' \\' '\n' | grep '^/' |
  grep -v -E "^($prefix/include/dhyan/|/usr/include/(c\+\+|bits|sys|asm|asm-generic|gnu|linux|[a-z0-9_-]+-linux-gnu)/|/usr/include/[a-z0-9_-]+\.h|/usr/lib/gcc)" \
  >"$work/foreign" && fail "the headers include $(cat "$work/foreign")"

# build WHICH OPTION...: the examples, with the shared or the static library
build_examples() {
  cmake -S "$source/examples" -B "$work/$1" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Debug "${@:2}" \
    >"$work/log" 2>&1 && cmake --build "$work/$1" >>"$work/log" 2>&1 || { cat "$work/log" && fail "$1 examples"; }
}
build_examples shared
build_examples static -DDHYAN_LIBRARY=dhyan::static
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
! command -v pkg-config >/dev/null || c++ "$source/examples/translate.cpp" -o "$work/by_pkg_config" \
  $(pkg-config --cflags --libs dhyan) -Wl,-rpath,"$prefix/lib"

cd "$work"
"$prefix/bin/dhyan" data phrasebook hi-en >all.tsv
head -n 60 all.tsv >pairs.tsv
"$prefix/bin/dhyan" train --preset caption-tiny --max-steps 2 --scenes 64 --hidden 8 -o captions >/dev/null 2>&1
for kind in shared static; do
  echo "== $kind"
  ./$kind/train_pairs pairs.tsv model 30 | tail -n 2
  head -n 2 pairs.tsv | cut -f1 | ./$kind/translate model | head -n 4 | tee translations
  [[ $(wc -l <translations) == 4 ]] || fail "$kind: translate wrote $(wc -l <translations) lines, expected 4"
  ./$kind/attention_matrix model "$(head -n 1 pairs.tsv | cut -f1)" page.html | head -n 4
  grep -q '<html' page.html || fail "$kind: attention_matrix wrote no page"
  ./$kind/own_score pairs.tsv own 5
  ./$kind/caption_picture captions caption.html "$source/tests/golden/pictures/grey_alpha.png" | tee caption
  [[ $(wc -l <caption) == 1 ]] || fail "$kind: caption_picture"
done
[[ ! -x by_pkg_config ]] || head -n 2 pairs.tsv | cut -f1 | ./by_pkg_config model | cmp - translations

echo "== errors"
if ./shared/translate /no/such/model </dev/null 2>error; then fail "translate accepts a missing model"; fi
grep -q 'translate: /no/such/model: there is no such folder' error || fail "translate says $(cat error)"
echo "installed, built and run"
