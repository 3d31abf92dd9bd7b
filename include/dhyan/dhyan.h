#pragma once

// The whole API. It needs C++20 and the standard library.
#include <dhyan/aligner.h>
#include <dhyan/error.h>
#include <dhyan/evaluation.h>
#include <dhyan/explanation.h>
#include <dhyan/matrix.h>
#include <dhyan/options.h>
#include <dhyan/score_function.h>
#include <dhyan/training.h>
#include <dhyan/translation.h>
#include <dhyan/translator.h>
#include <dhyan/version.h>
