// The backgrounds of `apps/web/src/design/tokens.css`. Text that is readable on the hardest background of a theme is
// readable on all of them.
const themes = {
  light: { card: '#ffffff', hardest: '#eef2f7', ink: '#000000' },
  dark: { card: '#161f2a', hardest: '#1e2936', ink: '#ffffff' },
} as const;
export type Theme = keyof typeof themes;

// Minimum contrasts of WCAG 2.2, 1.4.3 and 1.4.11.
const textContrast = 4.5;
const edgeContrast = 3;
const mixStep = 0.05;

/** The colours of a theme that are derived from the colour of a shop. */
export interface BrandColors {
  /** Links and other text. */
  accent: string;
  /** The background of a selected row. */
  accentBack: string;
  button: string;
  /** The text of a button. */
  onButton: string;
  /** A button under the pointer. */
  buttonStrong: string;
  /** The border of a button, visible even if the button's colour is not. */
  buttonEdge: string;
}

/** @param color `#rrggbb` */
export function brandColors(color: string, theme: Theme): BrandColors {
  const { card, hardest, ink } = themes[theme];
  const onButton = contrast(color, '#ffffff') >= textContrast ? '#ffffff' : '#000000';
  return {
    accent: readable(color, hardest, { towards: ink, least: textContrast }),
    accentBack: mix(card, color, 0.1),
    button: color,
    onButton,
    // Away from the text colour, to increase the contrast.
    buttonStrong: mix(color, onButton === '#ffffff' ? '#000000' : '#ffffff', 0.15),
    buttonEdge: readable(color, hardest, { towards: ink, least: edgeContrast }),
  };
}

/** The style sheet of a shop's colour, for both themes. It contains only colours. */
export function brandStyle(color: string): string {
  const block = (theme: Theme) => {
    const it = brandColors(color, theme);
    const values = {
      '--accent': it.accent,
      '--accent-back': it.accentBack,
      '--button': it.button,
      '--on-button': it.onButton,
      '--button-strong': it.buttonStrong,
      '--button-edge': it.buttonEdge,
    };
    return Object.entries(values)
      .map(([name, value]) => `${name}:${value}`)
      .join(';');
  };
  const dark = "@media (prefers-color-scheme:dark){:root:not([data-theme='light']){";
  return `:root{${block('light')}}${dark}${block('dark')}}}`;
}

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** The nearest mix of the colour that has enough contrast to the background. */
function readable(
  color: string,
  background: string,
  { towards, least }: { towards: string; least: number },
): string {
  let [share, found] = [0, color];
  while (contrast(found, background) < least && share < 1) {
    share += mixStep;
    found = mix(color, towards, Math.min(share, 1));
  }
  return found;
}

/** @param share of the second colour, from 0 to 1 */
function mix(one: string, other: string, share: number): string {
  const second = channelsOf(other);
  const mixed = channelsOf(one).map((channel, at) => Math.round(channel + (second[at]! - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
