import type { Chain } from './chain';
import { findToken } from './find-token';
import { chains, findChain } from './registry';

// A name with more edits is not suggested.
const maxDistance = 2;
const maxShownLength = 64;

/** Returns an error sentence for an unknown chain, with the nearest name; undefined for a known chain. */
export function unknownChain(name: string): string | undefined {
  if (findChain(name)) return undefined;
  const names = chains.flatMap(({ id, shortName, aliases }) => [shortName, ...aliases, id]);
  return `${shown(name)} is not a known chain${hint(name, names)}; GET /api/v1/pay/chains lists the chains`;
}

/** Returns an error sentence for an unknown token of a chain, with the nearest name; undefined for a known token. */
export function unknownToken(chain: Chain, name: string): string | undefined {
  if (findToken(chain, name)) return undefined;
  const symbols = chain.tokens.map(({ symbol }) => symbol);
  const known = `${chain.name} has ${symbols.join(', ')}`;
  return `${shown(name)} is not a known token of ${chain.name}${hint(name, symbols)}; ${known}`;
}

const shown = (name: string): string =>
  `"${name.length > maxShownLength ? `${name.slice(0, maxShownLength)}…` : name}"`;

function hint(given: string, names: readonly string[]): string {
  const nearest = nearestName(given, names);
  return nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
}

/** Returns the name with the smallest edit distance. */
function nearestName(given: string, names: readonly string[]): string | undefined {
  const text = given.toLowerCase();
  const most = Math.min(maxDistance, Math.floor(text.length / 2));
  let [nearest, least]: [string | undefined, number] = [undefined, most + 1];
  for (const name of names) {
    if (Math.abs(name.length - text.length) > most) continue;
    const distance = distanceOf(text, name.toLowerCase());
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Number of letters to insert, remove, replace or swap with their neighbour (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost, swapped));
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}
