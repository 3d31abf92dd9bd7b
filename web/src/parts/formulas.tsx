// The equations of attention in MathML.
import type { ComponentChildren } from "preact";

const Symbol = ({ name, index }: { name: string; index: string }) => (
  <msub>
    <mi>{name}</mi>
    <mi>{index}</mi>
  </msub>
);

const Formula = ({ children }: { children: ComponentChildren }) => <math>{children}</math>;

export const EnergyFormula = () => (
  <Formula>
    <Symbol name="e" index="ij" />
  </Formula>
);

// α_ij = exp(e_ij) / Σ_k exp(e_ik)
export const SoftmaxFormula = () => (
  <Formula>
    <Symbol name="α" index="ij" />
    <mo>=</mo>
    <mfrac>
      <mrow>
        <mi>exp</mi>
        <Symbol name="e" index="ij" />
      </mrow>
      <mrow>
        <munder>
          <mo>∑</mo>
          <mi>k</mi>
        </munder>
        <mi>exp</mi>
        <Symbol name="e" index="ik" />
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
