#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "nn/initializers.h"
#include "nn/state.h"

namespace dhyan {

struct CellSize {
  Index in = 0;      // E; 0: the cell reads its state alone
  Index hidden = 0;  // H
};

struct CellOptions {
  Initializer input = {};                          // W
  Initializer recurrent = {.name = "orthogonal"};  // U; both are made gate by gate
  bool norm = false;                               // layer norm of x W and of h U, of all gates together
  Rng rng = Rng(0);
};

// One step of a recurrent layer. Parameters name.W [E,G H], name.b, name.U [H,G H] and name.c [G H] for G gates, with
// both of PyTorch's biases and its order of gates: its weights fit, transposed. With layer norms ([ba2016] section 3.1)
// name.W.gain and name.U.gain [G H] too; b and c are then their biases.
class Cell {
 public:
  virtual ~Cell() = default;
  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

  // The part of a step that needs no state: all steps at once.
  Var project(const Var& x) const;                   // [.,E] -> [.,G H]  x W + b
  Var project_nothing(Scope& scope, Index n) const;  // [n,G H]  b

  virtual State step(const Var& from_x, const State& before) const = 0;  // [n,G H] [n,H] -> [n,H]

  virtual State zeros(Scope& scope, Index n) const;  // [n,H]

  Index hidden() const { return hidden_; }
  Index gates() const { return gates_; }  // G

 protected:
  Cell(ParameterSet& parameters, const std::string& name, const CellSize& size, Index gates,
       const CellOptions& options);

  Var recur(const Var& h) const;  // [n,H] -> [n,G H]  h U + c

 private:
  Index hidden_;
  Index gates_;
  const Parameter *W_ = nullptr, *b_, *U_, *c_;                  // no W without an input
  const Parameter *gain_of_x_ = nullptr, *gain_of_h_ = nullptr;  // of layer norms
};

// [elman1990] h_t = tanh(x_t W + b + h_{t-1} U + c)
class RnnCell final : public Cell {
 public:
  RnnCell(ParameterSet& parameters, const std::string& name, const CellSize& size, const CellOptions& options = {});
  State step(const Var& from_x, const State& before) const override;
};

// [cho2014] eqs. 5-8; the gates are in ops/gates.cpp
class GruCell final : public Cell {
 public:
  GruCell(ParameterSet& parameters, const std::string& name, const CellSize& size, const CellOptions& options = {});
  State step(const Var& from_x, const State& before) const override;
};

// [hochreiter1997] with a forget gate, whose bias begins at 1, so that the cell remembers until it learns to forget
// ([jozefowicz2015]); the gates are in ops/gates.cpp
class LstmCell final : public Cell {
 public:
  LstmCell(ParameterSet& parameters, const std::string& name, const CellSize& size, const CellOptions& options = {});
  State step(const Var& from_x, const State& before) const override;
  State zeros(Scope& scope, Index n) const override;
};

// The table of cells. A new one is a class and a line in cells.cpp.
struct CellEntry {
  std::string_view name;
  std::string_view reference;  // a key of docs/refs.bib
  bool has_memory;             // does its State have a c?
  std::unique_ptr<Cell> (*make)(ParameterSet& parameters, const std::string& name, const CellSize& size,
                                const CellOptions& options);
};

std::span<const CellEntry> cells();

// By name of the kind; ConfigError that lists the kinds if there is none such.
std::unique_ptr<Cell> make_cell(std::string_view kind, ParameterSet& parameters, const std::string& name,
                                const CellSize& size, const CellOptions& options = {});

}  // namespace dhyan
