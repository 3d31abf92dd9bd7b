// The equations of attention in MathML.
import type { ComponentChildren } from "preact";

// Each letter of an index is a variable of its own, and so is set in italics.
const Symbol = ({ name, index }: { name: string; index: string }) => (
  <msub>
    <mi>{name}</mi>
    <mrow>
      {[...index].map((letter) => (
        <mi key={letter}>{letter}</mi>
      ))}
    </mrow>
  </msub>
);

const Exp = ({ children }: { children: ComponentChildren }) => (
  <>
    <mi>exp</mi>
    <mo>(</mo>
    {children}
    <mo>)</mo>
  </>
);

const Formula = ({ children }: { children: ComponentChildren }) => <math>{children}</math>;

export const SourceFormula = () => (
  <Formula>
    <Symbol name="x" index="j" />
  </Formula>
);

export const EnergyFormula = () => (
  <Formula>
    <Symbol name="e" index="ij" />
  </Formula>
);

// exp(e_ij - max_k e_ik), with the largest energy as a number
export const ExponentialFormula = ({ largest }: { largest: string }) => (
  <Formula>
    <Exp>
      <Symbol name="e" index="ij" />
      <mo>−</mo>
      <mn>{largest}</mn>
    </Exp>
  </Formula>
);

// "Q = Wq X" with the q of its matrix as an index.
export const MatrixName = ({ name }: { name: string }) => (
  <>
    {name.split(/(W[qkv])/).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <span key={index}>
          W<sub>{part[1]}</sub>
        </span>
      ),
    )}
  </>
);

// α_ij = exp(e_ij) / Σ_k exp(e_ik)
export const SoftmaxFormula = () => (
  <Formula>
    <Symbol name="α" index="ij" />
    <mo>=</mo>
    <mfrac>
      <mrow>
        <Exp>
          <Symbol name="e" index="ij" />
        </Exp>
      </mrow>
      <mrow>
        <munder>
          <mo>∑</mo>
          <mi>k</mi>
        </munder>
        <Exp>
          <Symbol name="e" index="ik" />
        </Exp>
      </mrow>
    </mfrac>
  </Formula>
);

// c_i = Σ_j α_ij h_j
export const ContextFormula = () => (
  <Formula>
    <Symbol name="c" index="i" />
    <mo>=</mo>
    <munder>
      <mo>∑</mo>
      <mi>j</mi>
    </munder>
    <Symbol name="α" index="ij" />
    <Symbol name="h" index="j" />
  </Formula>
);
