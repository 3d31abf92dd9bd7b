// The worked example of self-attention, with numbers to change.
import { selfAttention } from "../maths";
import { decimal } from "../numbers";
import { Choice } from "../parts/choice";
import { MatrixName } from "../parts/formulas";
import { NumberField } from "../parts/number_field";
import { tour } from "../state";
import { t } from "../texts";

const kWords = ["the", "next", "is"];
const identity = () => [1, 0, 0, 0, 1, 0, 0, 0, 1];
const kNumbers = [0.9, 0.1, 0.1, 0.1, 0.9, 0.1, 0.5, 0.5, 0.1, ...identity(), 1, 0, 0, 0, 2, 0, 0, 0, 1, ...identity()];
const kInputs = ["X", "Wq", "Wk", "Wv"];

interface Example {
  left: boolean; // the side that weights stand on
  numbers: number[]; // X, W_q, W_k and W_v, row by row
}

// "l" or "r", then the numbers, if any was changed.
function parse(text: string): Example {
  const [side, ...numbers] = text.split(",");
  const given = numbers.map(Number);
  return {
    left: side !== "r",
    numbers: given.length === kNumbers.length && given.every(Number.isFinite) ? given : kNumbers,
  };
}

function format({ left, numbers }: Example): string {
  const changed = numbers.some((number, index) => number !== kNumbers[index]);
  return changed ? [left ? "l" : "r", ...numbers].join(",") : left ? "" : "r";
}

const matrix = (numbers: number[], number: number) =>
  [0, 1, 2].map((row) => numbers.slice(9 * number + 3 * row, 9 * number + 3 * row + 3));

export function TourView() {
  const example = parse(tour.value);
  const { left, numbers } = example;
  const [x, wq, wk, wv] = kInputs.map((_, number) => matrix(numbers, number));
  const { q, k, v, energies, weights, contexts } = selfAttention(x, wq, wk, wv, left);
  const set = (index: number, value: number) =>
    (tour.value = format({ ...example, numbers: numbers.map((old, at) => (at === index ? value : old)) }));
  const step = (number: number, title: string, how: string, ...matrices: preact.JSX.Element[]) => (
    <li>
      <h3>
        {number}. {title}
      </h3>
      <p class="note">{how}</p>
      <div class="matrices">{matrices}</div>
    </li>
  );
  const input = (number: number) => <Input key={number} number={number} values={matrix(numbers, number)} set={set} />;
  const product = (w: string) => (left ? `${w} X` : `X ${w}`);
  return (
    <div>
      <p class="fields">
        <Choice
          label={t("tour.order")}
          value={left ? "left" : "right"}
          set={(side) => (tour.value = format({ left: side === "left", numbers }))}
          options={[
            { value: "left", text: t("tour.left") },
            { value: "right", text: t("tour.right") },
          ]}
        />
        <button type="button" disabled={tour.value === ""} onClick={() => (tour.value = "")}>
          {t("tour.reset")}
        </button>
      </p>
      <ol class="tour">
        {step(1, t("tour.inputs"), t("tour.inputs_how"), input(0), input(1), input(2), input(3))}
        {step(
          2,
          t("tour.qkv"),
          t("tour.qkv_how"),
          <Values key="q" name={`Q = ${product("Wq")}`} values={q} digits={2} />,
          <Values key="k" name={`K = ${product("Wk")}`} values={k} digits={2} />,
          <Values key="v" name={`V = ${product("Wv")}`} values={v} digits={2} />,
        )}
        {step(
          3,
          t("tour.energies"),
          t("tour.energies_how"),
          <Values key="e" name="E = Q Kᵀ" values={energies} digits={2} square />,
        )}
        {step(
          4,
          t("tour.weights"),
          t("tour.weights_how"),
          <Values key="w" name="α = softmax(E)" values={weights} digits={4} square shade />,
        )}
        {step(
          5,
          t("tour.contexts"),
          t("tour.contexts_how"),
          <Values key="c" name="C = α V" values={contexts} digits={4} />,
        )}
      </ol>
    </div>
  );
}

interface InputProps {
  number: number;
  values: number[][];
  set: (index: number, value: number) => void;
}

function Input({ number, values, set }: InputProps) {
  const name = kInputs[number];
  return (
    <table class="matrix">
      <caption>
        <MatrixName name={name} />
      </caption>
      <tbody>
        {values.map((row, i) => (
          <tr key={i}>
            {number === 0 && (
              <th scope="row" lang="en">
                {kWords[i]}
              </th>
            )}
            {row.map((value, j) => (
              <td key={j}>
                <NumberField
                  hideLabel
                  label={`${name} ${i + 1},${j + 1}`}
                  value={value}
                  step={0.1}
                  set={(typed) => set(9 * number + 3 * i + j, typed)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ValuesProps {
  name: string;
  values: number[][];
  digits: number;
  square?: boolean; // columns are words too
  shade?: boolean;
}

function Values({ name, values, digits, square, shade }: ValuesProps) {
  return (
    <table class="matrix">
      <caption>
        <MatrixName name={name} />
      </caption>
      {square && (
        <thead>
          <tr>
            <td />
            {kWords.map((word) => (
              <th key={word} scope="col" lang="en">
                {word}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {values.map((row, i) => (
          <tr key={i}>
            <th scope="row" lang="en">
              {kWords[i]}
            </th>
            {row.map((value, j) => (
              <td key={j} class={shade ? "shaded" : ""} style={{ "--w": shade ? value : 0 }}>
                {decimal(value, digits)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
