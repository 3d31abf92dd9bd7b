// Mended translations as a tree. In the address: versions apart by ";", each "parent|prefix|required|forbidden" with its
// words apart by ","; the current one is named first.
export interface Version {
  parent: number; // -1: none
  prefix: string;
  required: string[];
  forbidden: string[];
}

export interface Versions {
  all: Version[];
  current: number;
}

const kFirst: Version = { parent: -1, prefix: "", required: [], forbidden: [] };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not encoded by this page
  }
}

const list = (text: string) => (text === "" ? [] : text.split(",").map(decoded));
const joined = (words: string[]) => words.map(encodeURIComponent).join(",");

export function parseVersions(text: string): Versions {
  const [current, ...parts] = text.split(";");
  const all = [kFirst];
  for (const part of parts) {
    const [parent, prefix = "", required = "", forbidden = ""] = part.split("|");
    if (!/^\d+$/.test(parent) || Number(parent) >= all.length) continue;
    all.push({
      parent: Number(parent),
      prefix: decoded(prefix),
      required: list(required),
      forbidden: list(forbidden),
    });
  }
  return { all, current: Math.min(/^\d+$/.test(current) ? Number(current) : 0, all.length - 1) };
}

export function formatVersions({ all, current }: Versions): string {
  if (all.length === 1) return "";
  const parts = all
    .slice(1)
    .map(({ parent, prefix, required, forbidden }) =>
      [parent, encodeURIComponent(prefix), joined(required), joined(forbidden)].join("|"),
    );
  return [current, ...parts].join(";");
}

export function withVersion({ all, current }: Versions, version: Omit<Version, "parent">): Versions {
  return { all: [...all, { ...version, parent: current }], current: all.length };
}

// Without a version that has none after it; its parent is the current one instead.
export function withoutVersion({ all }: Versions, number: number): Versions {
  const rest = all
    .filter((_, at) => at !== number)
    .map((version) => (version.parent > number ? { ...version, parent: version.parent - 1 } : version));
  const parent = Math.max(all[number].parent, 0);
  return { all: rest, current: parent > number ? parent - 1 : parent };
}
