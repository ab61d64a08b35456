/**
 * @typedef {object} Comment
 * @property {number} line its first line, from 1
 * @property {string} text without the comment markers, with its line breaks
 * @property {boolean} isTrailing whether there is code before it on the same line
 */

/** The markers of line comments, by file extension. */
const lineMarks = [
  { files: /\.(sql|lua)$/, mark: /^\s*--+( |$)/ },
  { files: /\.(sh|yml|yaml|conf|example|toml)$|(^|\/)Dockerfile$/, mark: /^\s*#+( |$)/ },
  { files: /\.(ts|tsx|mjs|cjs|sol|move|tolk|c|h)$/, mark: /^\s*\/\/+!?( |$)/ },
];

const blockFiles = /\.(ts|tsx|mjs|cjs|sol|move|tolk|c|h|css|sql)$/;

/** A comment after code on the same line. */
const trailing = /[;,{([}\])>] +\/\/ (?<text>.+)$/;

/**
 * The comments of a program. Consecutive comment lines count as one comment.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Comment[]}
 */
export function commentsOf(path, text) {
  const mark = lineMarks.find(({ files }) => files.test(path))?.mark;
  const hasBlocks = blockFiles.test(path);
  /** @type {Comment[]} */
  const comments = [];
  /** @type {'line' | 'block' | undefined} */
  let open;
  const add = (
    /** @type {string} */ content,
    /** @type {number} */ line,
    /** @type {boolean} */ continues,
  ) => {
    const last = comments.at(-1);
    if (continues && last) last.text += `\n${content}`;
    else comments.push({ line, text: content, isTrailing: false });
  };
  text.split('\n').forEach((source, index) => {
    if (open === 'block' || (hasBlocks && /^\s*\/\*/.test(source))) {
      const content = source.replace(/^\s*(\/\*+!?|\*(?!\/))? ?/, '').replace(/\s*\*+\/.*$/, '');
      add(content, index + 1, open === 'block');
      open = source.includes('*/') ? undefined : 'block';
      return;
    }
    const begin = mark?.exec(source)?.[0];
    if (begin !== undefined) {
      add(source.slice(begin.length), index + 1, open === 'line');
      open = 'line';
      return;
    }
    open = undefined;
    const after = hasBlocks ? trailing.exec(source)?.groups?.['text'] : undefined;
    if (after !== undefined) comments.push({ line: index + 1, text: after, isTrailing: true });
  });
  return comments;
}

/** A blank line, a tag or a list item begins a new sentence. */
const paragraphs =
  /\n\s*\n|\n(?=\s*(?:@|[-*] |\d+\. ))|(?=@(?:param|returns|throws|type|property|typedef|template|see|default)\b)/;

const tag = /^\s*@\w+\s*(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})?\s*(\[?[\w.$]+(=[^\]]*)?\]?\s)?/;

/**
 * @param {string} comment
 * @returns {string[]} the sentences; a colon or semicolon ends a sentence like a full stop
 */
export const sentencesOf = (comment) =>
  comment
    .split(paragraphs)
    .map((paragraph) => paragraph.replace(tag, '').replaceAll(/`[^`]*`/g, 'code'))
    .flatMap((paragraph) => paragraph.split(/[.!?:;]["')]*\s+/))
    .map((sentence) => sentence.trim());

/** @param {string} sentence */
export const countWords = (sentence) =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
