// A map of more cells than a page can hold as a table: all of it as a picture, and a window of it as a table. The arrow
// keys and the two fields move the window, and so does a click on the picture.
import { within } from "../maths";
import { corner } from "../state";
import { t } from "../texts";
import { AttentionGrid, type GridProps } from "./attention_grid";
import { NumberField } from "./number_field";
import { SmallMap } from "./small_map";

export const kMostCells = 2500; // of a table
const kRows = 24;
const kColumns = 16;

// Where a window of so many cells begins, if it may.
const begin = (wanted: number, cells: number, all: number) =>
  within(Math.round(wanted) || 0, 0, Math.max(all - cells, 0));

export function BigMap(props: GridProps) {
  const { map } = props;
  const [rows, columns] = [map.rows.length, map.columns.length];
  const [wantedRow, wantedColumn] = corner.value.split(",").map(Number);
  const row = begin(wantedRow, kRows, rows);
  const column = begin(wantedColumn, kColumns, columns);
  const move = (row: number, column: number) => (corner.value = `${row},${column}`);
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
    move(begin(part[0] * rows - kRows / 2, kRows, rows), begin(part[1] * columns - kColumns / 2, kColumns, columns));
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
          set={(value) => move(value - 1, column)}
        />
        <NumberField
          label={t("map.column")}
          value={column + 1}
          least={1}
          most={Math.max(columns - kColumns, 0) + 1}
          set={(value) => move(row, value - 1)}
        />
      </p>
      <div class="overview" onClick={onClick}>
        <SmallMap weights={props.hidden ? map.weights.map((row) => row.map(() => 0)) : map.weights} most={400} />
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
