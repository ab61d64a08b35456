import { commentsOf, countWords, sentencesOf } from './comments.mjs';

/**
 * Finds forms of comments and test titles that the project does not use. The words are in words.mjs.
 *
 * @typedef {{ line: number, form: string, write: string }} Form
 */

const programFile =
  /\.(ts|tsx|mjs|cjs|sol|move|tolk|c|h|css|sql|sh|yml|yaml|conf|toml|example)$|(^|\/)Dockerfile$/;
const testFile = /\.(spec|test)\.(ts|tsx|mjs)$/;
/** oxfmt formats the code of other files, but not their comments. */
const unformatted = /\.(sol|move|tolk|c|h|sql|sh)$/;
/** Files that programs write, with lines above 120 columns. */
const generated = /\/generated\//;

const mostWords = 22;
const mostColumns = 120;

/** A long string, a path, or a tag that stays on the line of its type. */
const unbreakable = /"[^"]{60,}"|'[^']{60,}'|\S{60,}|^\s*\/?\*+ *@\w+ *\{/;

/** A title continues the name of its describe, so it begins with a verb, a status or its own subject. */
const fragment =
  /(?<=\b(?:it|test)(?:\.\w+)*\(\s*|\)\(\s*)(['"`])(?:is|are|was|were|be|been|being|of|with|without|and|or|but|that|which|after|before|while|when|where|until|if|on|at|in|from|by|as|to|for|its|their|also)\b(?:(?!\1)[^\n])*\1(?=, (?:async )?(?:\(|\w+ =>|function))/g;

/**
 * @param {string} path from the root
 * @param {string} text
 * @returns {Form[]}
 */
export function findForms(path, text) {
  if (!programFile.test(path) || generated.test(path)) return [];
  return [
    ...longSentences(path, text),
    ...longLines(path, text),
    ...(testFile.test(path) ? fragments(text) : []),
  ];
}

/** @param {string} path @param {string} text @returns {Form[]} */
const longSentences = (path, text) =>
  commentsOf(path, text).flatMap((comment) =>
    sentencesOf(comment.text)
      .filter((sentence) => countWords(sentence) > mostWords)
      .map((sentence) => ({
        line: comment.line,
        form: `${sentence.slice(0, 60)}...`,
        write: `sentences of at most ${mostWords} words in comments`,
      })),
  );

/** @param {string} path @param {string} text @returns {Form[]} */
function longLines(path, text) {
  const commented = unformatted.test(path) ? undefined : commentLinesOf(path, text);
  return text.split('\n').flatMap((line, index) => {
    const isFine =
      line.length <= mostColumns || unbreakable.test(line) || commented?.has(index + 1) === false;
    const write = `lines of at most ${mostColumns} columns`;
    return isFine ? [] : [{ line: index + 1, form: `${line.length} columns`, write }];
  });
}

/** @param {string} path @param {string} text */
const commentLinesOf = (path, text) =>
  new Set(
    commentsOf(path, text)
      .filter(({ isTrailing }) => !isTrailing)
      .flatMap(({ line, text }) => text.split('\n').map((_, index) => line + index)),
  );

/** Whether the string after this text is the title of a `describe.each`. @param {string} text */
const isOfDescribe = (text) =>
  /\)\(\s*$/.test(text) && /\bdescribe\.each\b(?!.*\b(it|test)\.each\b)/s.test(text);

/** @param {string} text @returns {Form[]} */
const fragments = (text) =>
  [...text.matchAll(fragment)]
    .filter(({ index }) => !isOfDescribe(text.slice(0, index)))
    .map(({ 0: title, index }) => ({
      line: text.slice(0, index).split('\n').length,
      form: title,
      write: 'a title that says what its subject does: "returns ...", "rejects ..."',
    }));
