import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brandColors, brandStyle, contrast, type Theme } from './brand';

const tokens = readFileSync(join(__dirname, '../../../../web/src/design/tokens.css'), 'utf8');
const [light, dark] = tokens.split('@media (prefers-color-scheme: dark)');
const tokenOf = (name: string, theme: Theme) =>
  new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(theme === 'light' ? light! : dark!)![1]!;

// A fixed sequence, so that a failure is reproducible.
function* colors(count: number): Generator<string> {
  let state = 1;
  for (let n = 0; n < count; n++) {
    state = (state * 48_271) % 0x7fffffff;
    yield `#${(state & 0xffffff).toString(16).padStart(6, '0')}`;
  }
}
const special = ['#000000', '#ffffff', '#767676', '#777777', '#ffff00', '#0000ff', '#1e2936', '#eef2f7'];

it('contrast returns the ratio of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  expect(contrast('#1d4fc4', '#1d4fc4')).toBe(1);
});

describe.each(['light', 'dark'] as const)('the colours of a shop in the %s theme', (theme) => {
  const backgrounds = ['back', 'card', 'raised'].map((name) => tokenOf(name, theme));

  it('stay readable for every colour of the shop', () => {
    for (const color of [...special, ...colors(2_000)]) {
      const it = brandColors(color, theme);
      expect(it.button).toBe(color);
      const ratios = {
        button: contrast(it.onButton, it.button),
        hover: contrast(it.onButton, it.buttonStrong),
        link: Math.min(...backgrounds.map((back) => contrast(it.accent, back))),
        edge: Math.min(...backgrounds.map((back) => contrast(it.buttonEdge, back))),
        row: contrast(tokenOf('ink', theme), it.accentBack),
        note: contrast(tokenOf('soft', theme), it.accentBack),
      };
      const least = { button: 4.5, hover: 4.5, link: 4.5, edge: 3, row: 4.5, note: 4.5 };
      const failed = Object.entries(least).filter(([name, ratio]) => ratios[name as 'link'] < ratio);
      expect([color, ratios, failed]).toEqual([color, ratios, []]);
    }
  });

  it('stay unchanged when they are readable', () => {
    const color = theme === 'light' ? '#1d4fc4' : '#8fb5ff';
    expect(brandColors(color, theme).accent).toBe(color);
  });
});

it('contain only colours in their style sheet', () => {
  const style = brandStyle('#ffff00');
  expect(style).toMatch(/^:root\{[-\w:;#]+\}@media \(prefers-color-scheme:dark\)\{[^<>]+\}\}$/);
  expect(style).toContain('--button:#ffff00;--on-button:#000000');
});
