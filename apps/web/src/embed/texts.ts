export interface EmbedTexts {
  title: string;
  close: string;
  window: string;
  /** Shown when the page does not report in time. */
  failed: string;
  retry: string;
}

/** The texts of each language, joined by `|`. The build creates them from the language files. */
declare const embedTexts: Readonly<Record<string, string>>;

// The build inlines the texts at each use, so they are used only once.
const packed = embedTexts;

/** The texts of the first available language, otherwise of English. @param tags for example `de-AT` */
export function textsIn(tags: readonly (string | null | undefined)[]): EmbedTexts {
  const codes = tags.map((tag) => `${tag}`.slice(0, 2).toLowerCase());
  const code = codes.find((one) => one in packed) ?? 'en';
  const [title = '', close = '', window = '', failed = '', retry = ''] = packed[code]!.split('|');
  return { title, close, window, failed, retry };
}
