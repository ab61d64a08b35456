export interface EmbedTexts {
  title: string;
  close: string;
  window: string;
  /** Where the page did not report in time. */
  failed: string;
  retry: string;
}

/** The texts of each language, joined by `|`. The build writes them from the files of the languages. */
declare const embedTexts: Readonly<Record<string, string>>;

// The build puts the texts in the place of each use, so there is one.
const packed = embedTexts;

/** The texts of the first language that there is, in English where there is none. @param tags such as `de-AT` */
export function textsIn(tags: readonly (string | null | undefined)[]): EmbedTexts {
  const codes = tags.map((tag) => `${tag}`.slice(0, 2).toLowerCase());
  const code = codes.find((one) => one in packed) ?? 'en';
  const [title = '', close = '', window = '', failed = '', retry = ''] = packed[code]!.split('|');
  return { title, close, window, failed, retry };
}
