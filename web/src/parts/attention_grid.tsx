// A matrix of attention as a table that can be walked with the arrow keys: source across, target down.
import { useEffect, useRef } from "preact/hooks";
import { decimal } from "../numbers";
import { t } from "../texts";

export interface Map {
  columns: string[];
  rows: string[];
  weights: number[][];
  columnLanguage: string;
  rowLanguage: string;
}

export interface GridProps {
  map: Map;
  label: string;
  pinned?: number; // row, from 0
  hidden?: boolean; // weights are not shown yet
  mark?: (row: number, column: number) => string; // a class of a cell, and what it means in words
  onCell?: (row: number, column: number) => void; // Enter, Space or a click
}

const kDark = 0.66; // from this weight on, text on a cell is light instead of dark

// The cell that the keys lead to.
function moved(key: string, ctrl: boolean, [row, column]: [number, number], [rows, columns]: [number, number]) {
  const page = 10;
  const to: Record<string, [number, number]> = {
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    PageUp: [row - page, column],
    PageDown: [row + page, column],
    Home: [ctrl ? 0 : row, 0],
    End: [ctrl ? rows - 1 : row, columns - 1],
  };
  const wanted = to[key];
  const within = (value: number, count: number) => Math.min(Math.max(value, 0), count - 1);
  return wanted === undefined ? null : ([within(wanted[0], rows), within(wanted[1], columns)] as [number, number]);
}

// Marks the row and the column of a cell: two classes change, and not the table.
class Marking {
  private row: Element | null = null;
  private column: Element | null = null;

  constructor(private readonly table: HTMLTableElement) {}

  at(cell: HTMLTableCellElement | null): void {
    this.row?.classList.remove("at");
    this.column?.classList.remove("at");
    this.row = cell?.parentElement ?? null;
    this.column = cell === null ? null : this.table.querySelectorAll("col")[cell.cellIndex];
    this.row?.classList.add("at");
    this.column?.classList.add("at");
  }
}

function placeOf(cell: HTMLTableCellElement): [number, number] {
  return [(cell.parentElement as HTMLTableRowElement).sectionRowIndex, cell.cellIndex - 1];
}

const cellAt = (table: HTMLTableElement, row: number, column: number) =>
  table.tBodies[0].rows[row].cells[column + 1] as HTMLTableCellElement;

const cellOf = (event: Event) => (event.target as Element).closest("td") as HTMLTableCellElement | null;

export function AttentionGrid({ map, label, pinned, hidden, mark, onCell }: GridProps) {
  const table = useRef<HTMLTableElement>(null);
  const marking = useRef<Marking | null>(null);
  const stop = useRef<HTMLTableCellElement | null>(null); // the one cell that Tab reaches
  const size: [number, number] = [map.rows.length, map.columns.length];
  const setStop = (cell: HTMLTableCellElement) => {
    if (stop.current !== null) stop.current.tabIndex = -1;
    cell.tabIndex = 0;
    stop.current = cell;
  };
  useEffect(() => {
    marking.current = new Marking(table.current!);
  }, []);
  useEffect(() => {
    if (!table.current!.contains(stop.current)) setStop(cellAt(table.current!, pinned ?? 0, 0));
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const cell = cellOf(event);
    if (cell === null) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onCell?.(...placeOf(cell));
      return;
    }
    const next = moved(event.key, event.ctrlKey, placeOf(cell), size);
    if (next === null) return;
    event.preventDefault();
    cellAt(table.current!, ...next).focus();
  };
  const onFocus = (event: FocusEvent) => {
    const cell = cellOf(event);
    if (cell === null) return;
    setStop(cell);
    marking.current!.at(cell);
  };
  return (
    <div class="grid-frame">
      <table
        class={map.columns.length > 14 ? "grid dense" : "grid"}
        role="grid"
        aria-label={label}
        ref={table}
        style={{ "--n": map.columns.length, "--m": map.rows.length }}
        onKeyDown={onKeyDown}
        onFocusIn={onFocus}
        onPointerOver={(event) => marking.current!.at(cellOf(event))}
        onPointerLeave={() => marking.current!.at(null)}
        onClick={(event) => {
          const cell = cellOf(event);
          if (cell !== null) onCell?.(...placeOf(cell));
        }}
      >
        <colgroup>
          <col />
          {map.columns.map((_, j) => (
            <col key={j} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <td class="corner" />
            {map.columns.map((word, j) => (
              <th key={j} scope="col" lang={map.columnLanguage}>
                <span dir="auto">{word}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {map.rows.map((word, i) => (
            <tr key={`${i} ${word}`} class={i === pinned ? "row pinned" : "row"} style={{ "--i": i }}>
              <th scope="row" lang={map.rowLanguage}>
                <span dir="auto">{word}</span>
              </th>
              {map.columns.map((source, j) =>
                cell({
                  column: j,
                  name: `${word} ← ${source}`,
                  weight: map.weights[i][j],
                  hidden: hidden === true,
                  mark: mark?.(i, j) ?? "",
                }),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Cell {
  column: number;
  name: string;
  weight: number;
  hidden: boolean;
  mark: string;
}

// No component: a map has thousands.
function cell({ column, name, weight, hidden, mark }: Cell) {
  const said = hidden ? name : `${name}, ${decimal(weight)}`;
  const text = hidden || weight < 0.005 ? "" : decimal(weight);
  const shade = weight >= kDark && !hidden ? "dark" : "";
  return (
    <td
      key={column}
      tabIndex={-1}
      class={[shade, mark].filter((name) => name !== "").join(" ")}
      style={{ "--w": hidden ? 0 : Math.min(Math.max(weight, 0), 1) }}
      aria-label={mark === "" ? said : `${said}, ${t(`mark.${mark}` as "mark.link")}`}
    >
      {text}
    </td>
  );
}
