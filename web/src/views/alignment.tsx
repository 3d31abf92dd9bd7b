// Your alignment: links drawn or pasted, and how well each head agrees with them.
import { compareLinks, formatLinks, hardLinks, type Links, parseLinks } from "../alignment";
import { chosenWeights, mapsOf, nameOfHead, withWords } from "../chosen_map";
import { decimal } from "../numbers";
import { AnyMap } from "../parts/big_map";
import type { Explanation } from "../server";
import { useSaid } from "../said";
import { links as linksText } from "../state";
import { t } from "../texts";
import type { ViewProps } from "../view";
import { wordCount } from "../words";

// The gold links of a phrasebook sentence, if the model translates it as the phrasebook does.
export function goldLinks({ explanation, examples }: Pick<ViewProps, "explanation" | "examples">): string | undefined {
  const is_this = ({ source, target }: { source: string; target: string }) =>
    source === explanation.source && target === explanation.translation;
  return explanation.units === "word" ? examples.find(is_this)?.alignment : undefined;
}

export function AlignmentView({ model, explanation, examples }: ViewProps) {
  const gold = goldLinks({ explanation, examples });
  const [sources, targets] = [wordCount(explanation.source_tokens), wordCount(explanation.target_tokens)];
  const links = parseLinks(linksText.value, sources, targets);
  const map = withWords(explanation, model, "cross", chosenWeights(explanation, "cross", "")!);
  const words = {
    ...map,
    columns: map.columns.slice(0, sources),
    rows: map.rows.slice(0, targets),
    weights: map.weights.slice(0, targets),
  };
  const toggle = (j: number, i: number) => {
    const link = `${i}-${j}`;
    if (!links.delete(link)) links.add(link);
    linksText.value = formatLinks(links);
  };
  return (
    <div class="two">
      <div>
        <p class="fields">
          {gold !== undefined && (
            <button type="button" class="main" onClick={() => (linksText.value = gold)}>
              {t("alignment.gold")}
            </button>
          )}
          <button
            type="button"
            onClick={() => (linksText.value = formatLinks(hardLinks(map.weights, sources, targets)))}
          >
            {t("alignment.model")}
          </button>
          <button type="button" onClick={() => (linksText.value = "")}>
            {t("alignment.clear")}
          </button>
        </p>
        <AnyMap
          map={words}
          label={t("alignment.label")}
          mark={(j, i) => (links.has(`${i}-${j}`) ? "link" : "")}
          onCell={toggle}
        />
        <label class="field wide-field">
          <span>{t("alignment.pharaoh")}</span>
          <input
            type="text"
            value={linksText.value}
            spellcheck={false}
            onInput={(event) => (linksText.value = event.currentTarget.value)}
          />
        </label>
      </div>
      {links.size > 0 ? (
        <Scores explanation={explanation} links={links} sources={sources} targets={targets} />
      ) : (
        <p class="note">{t("alignment.none")}</p>
      )}
    </div>
  );
}

interface ScoresProps {
  explanation: Explanation;
  links: Links;
  sources: number;
  targets: number;
}

function Scores({ explanation, links, sources, targets }: ScoresProps) {
  const heads = mapsOf(explanation, "cross");
  const all = heads.map((map) => ({ name: nameOfHead(map), weights: map.weights }));
  if (heads.length > 1) all.push({ name: t("alignment.mean"), weights: chosenWeights(explanation, "cross", "")! });
  const scores = all
    .map(({ name, weights }) => ({ name, ...compareLinks(hardLinks(weights, sources, targets), links) }))
    .sort((a, b) => a.errorRate - b.errorRate);
  useSaid(t("alignment.best", { head: scores[0].name, rate: decimal(scores[0].errorRate) }));
  return (
    <section>
      <h3>{t("alignment.heads")}</h3>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">{t("alignment.head")}</th>
            <th scope="col">{t("alignment.precision")}</th>
            <th scope="col">{t("alignment.recall")}</th>
            <th scope="col">AER</th>
          </tr>
        </thead>
        <tbody>
          {scores.map(({ name, precision, recall, errorRate }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{decimal(precision)}</td>
              <td>{decimal(recall)}</td>
              <td>{decimal(errorRate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
