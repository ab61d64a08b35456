import { logoSvg } from './logos';
import { chains } from './registry';

const paths = [
  ...new Set(chains.flatMap((chain) => [chain.logo, ...chain.tokens.map((token) => token.logo)])),
];

const drawing =
  /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 64 64" role="img"><title>([A-Za-z0-9 .-]+)<\/title><circle cx="32" cy="32" r="32" fill="(#[0-9a-f]{6})"\/><text x="32" y="32" fill="#ffffff" text-anchor="middle" dominant-baseline="central" font-family="system-ui, sans-serif" font-weight="700" font-size="(\d+)">([A-Z0-9]{1,4})<\/text><\/svg>$/;

const partsOf = (path: string) => {
  const [, title = '', colour = '', fontSize = '', letters = ''] = drawing.exec(logoSvg(path) ?? '') ?? [];
  return { title, colour, fontSize: Number(fontSize), letters };
};

// WCAG 2: relative luminance of an sRGB colour.
const luminance = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((i) => {
    const channel = parseInt(colour.slice(i, i + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

describe('logoSvg', () => {
  it.each(paths)('draws %s as a circle with letters', (path) => {
    const { letters, fontSize } = partsOf(path);
    expect(letters).not.toBe('');
    // A bold capital is about 0.7 em wide, and the letters must fit into the circle of 64 units.
    expect(letters.length * fontSize * 0.7).toBeLessThan(56);
  });

  it.each(paths)('draws the letters of %s with sufficient contrast', (path) => {
    expect(1.05 / (luminance(partsOf(path).colour) + 0.05)).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ['/logos/chains/base.svg', 'Base', 'BASE'],
    ['/logos/chains/base-sepolia.svg', 'Base Sepolia', 'BASE'],
    ['/logos/chains/solana.svg', 'Solana', 'SOLA'],
    ['/logos/tokens/usdc.svg', 'USDC', 'USDC'],
    ['/logos/tokens/weth.svg', 'WETH', 'WETH'],
  ])('draws %s with the title %s and the letters %s', (path, title, letters) => {
    expect(partsOf(path)).toMatchObject({ title, letters });
  });

  it('uses several colours', () => {
    expect(new Set(paths.map((path) => partsOf(path).colour)).size).toBeGreaterThan(5);
  });

  it.each([
    '',
    '/',
    '/logos/chains/',
    '/logos/chains/nowhere.svg',
    '/logos/tokens/USDC.svg',
    'logos/tokens/usdc.svg',
    '/logos/tokens/../chains/base.svg',
    '/logos/tokens/usdc.svg?x=1',
    '__proto__',
  ])('draws nothing for %p', (path) => {
    expect(logoSvg(path)).toBeUndefined();
  });
});
