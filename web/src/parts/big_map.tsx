// A map of more cells than a page can hold as a table: all of it as a picture, and a window of it as a table. The arrow
// keys and the two fields move the window, and so does a click on the picture.
import { useState } from "preact/hooks";
import { t } from "../texts";
import { AttentionGrid, type GridProps } from "./attention_grid";
import { NumberField } from "./number_field";
import { SmallMap } from "./small_map";

export const kMostCells = 2500; // of a table
const kRows = 24;
const kColumns = 16;

const within = (value: number, most: number) => Math.min(Math.max(Math.round(value), 0), Math.max(most, 0));

export function BigMap(props: GridProps) {
  const { map } = props;
  const [rows, columns] = [map.rows.length, map.columns.length];
  const [from, setFrom] = useState<[number, number]>([0, 0]);
  const row = within(from[0], rows - kRows);
  const column = within(from[1], columns - kColumns);
  const slice = {
    ...map,
    rows: map.rows.slice(row, row + kRows),
    columns: map.columns.slice(column, column + kColumns),
    weights: map.weights.slice(row, row + kRows).map((weights) => weights.slice(column, column + kColumns)),
  };
  const pinned = (props.pinned ?? -1) - row;
  const onClick = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const part = [(event.clientY - box.top) / box.height, (event.clientX - box.left) / box.width];
    setFrom([
      within(part[0] * rows - kRows / 2, rows - kRows),
      within(part[1] * columns - kColumns / 2, columns - kColumns),
    ]);
  };
  return (
    <div class="big-map">
      <p class="note">{t("map.big", { rows, columns })}</p>
      <p class="fields">
        <NumberField
          label={t("map.row")}
          value={row + 1}
          least={1}
          most={Math.max(rows - kRows, 0) + 1}
          set={(value) => setFrom([value - 1, column])}
        />
        <NumberField
          label={t("map.column")}
          value={column + 1}
          least={1}
          most={Math.max(columns - kColumns, 0) + 1}
          set={(value) => setFrom([row, value - 1])}
        />
      </p>
      <div class="overview" onClick={onClick}>
        <SmallMap weights={map.weights} />
        <span
          class="window"
          style={{
            left: `${(100 * column) / columns}%`,
            top: `${(100 * row) / rows}%`,
            width: `${(100 * Math.min(kColumns, columns)) / columns}%`,
            height: `${(100 * Math.min(kRows, rows)) / rows}%`,
          }}
        />
      </div>
      <AttentionGrid
        {...props}
        map={slice}
        pinned={pinned >= 0 && pinned < slice.rows.length ? pinned : undefined}
        mark={props.mark && ((i, j) => props.mark!(i + row, j + column))}
        onCell={props.onCell && ((i, j) => props.onCell!(i + row, j + column))}
      />
    </div>
  );
}

// The map as a table, if it is small enough for one.
export function AnyMap(props: GridProps) {
  const cells = props.map.rows.length * props.map.columns.length;
  return cells > kMostCells ? <BigMap {...props} /> : <AttentionGrid {...props} />;
}
