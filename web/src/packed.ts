// Rows of numbers as base64, which /v1/explain writes for `encoding: base64`: the self-attention of a long text would hold
// up the page as JSON.
export interface PackedRows {
  shape: [number, number];
  float32: string; // little-endian
}

export type Rows = number[][] | PackedRows;

export function unpacked(rows: Rows): number[][] {
  if (Array.isArray(rows)) return rows;
  const [height, width] = rows.shape;
  const bytes = atob(rows.float32);
  const view = new DataView(new ArrayBuffer(bytes.length));
  for (let at = 0; at < bytes.length; ++at) view.setUint8(at, bytes.charCodeAt(at));
  return Array.from({ length: height }, (_, row) => {
    const values = new Array<number>(width);
    for (let column = 0; column < width; ++column) values[column] = view.getFloat32(4 * (row * width + column), true);
    return values;
  });
}
