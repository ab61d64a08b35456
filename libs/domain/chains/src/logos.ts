import { createHash } from 'node:crypto';
import { chains } from './registry';

const maxLetters = 4;

// White letters on these colours have a contrast of at least 4.5 to 1 (WCAG AA).
const colours = [
  '#1d4ed8',
  '#4338ca',
  '#6d28d9',
  '#a21caf',
  '#be185d',
  '#b91c1c',
  '#9a3412',
  '#854d0e',
  '#3f6212',
  '#166534',
  '#0f766e',
  '#0e7490',
  '#334155',
];

// Fewer letters fit into the circle of 64 units in a larger size.
const fontSizeByLetters: Readonly<Record<number, number>> = { 1: 34, 2: 28, 3: 22, 4: 18 };

let svgByPath: ReadonlyMap<string, string> | undefined;

/**
 * Returns the logo for a path of the registry; undefined for every other path. The logo is a monogram on a circle with
 * a colour derived from the name. It copies no trademark.
 */
export function logoSvg(path: string): string | undefined {
  svgByPath ??= drawAll();
  return svgByPath.get(path);
}

function drawAll(): ReadonlyMap<string, string> {
  const drawn = new Map<string, string>();
  for (const chain of chains) {
    drawn.set(chain.logo, draw(chain.name, chain.shortName));
    for (const token of chain.tokens) {
      // A token on several chains gets its letters from the first chain. Bridged forms share its logo.
      if (!drawn.has(token.logo)) {
        drawn.set(token.logo, draw(token.symbol, token.symbol));
      }
    }
  }
  return drawn;
}

function draw(title: string, name: string): string {
  const letters = name
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, maxLetters)
    .toUpperCase();
  const fontSize = fontSizeByLetters[letters.length];
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img">',
    `<title>${title}</title>`,
    `<circle cx="32" cy="32" r="32" fill="${colourOf(name)}"/>`,
    '<text x="32" y="32" fill="#ffffff" text-anchor="middle" dominant-baseline="central"',
    ` font-family="system-ui, sans-serif" font-weight="700" font-size="${fontSize}">${letters}</text>`,
    '</svg>',
  ].join('');
}

function colourOf(name: string): string | undefined {
  const [first = 0] = createHash('sha256').update(name).digest();
  return colours[first % colours.length];
}
