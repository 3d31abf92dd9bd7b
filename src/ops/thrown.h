#pragma once

#include "core/thrown.h"
