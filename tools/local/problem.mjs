/** An error that the user can correct. It has a sentence that says what to do, and is shown without a stack. */
export class Problem extends Error {
  /**
   * @param {string} sentence
   * @param {{ details?: string, cause?: unknown }} [more] details: the last output lines of the failed program
   */
  constructor(sentence, { details = '', cause } = {}) {
    super(sentence, { cause });
    this.name = 'Problem';
    this.details = details.trim();
  }
}

/** A mistake in a typed command. */
export class TypingMistake extends Problem {}

/** @param {unknown} error that ends a command */
export const exitCodeOf = (error) => (error instanceof TypingMistake ? 2 : 1);

/** The message of `parseArgs` without its advice for programmers. @param {unknown} error */
export const argumentMistake = (error) => `${/** @type {Error} */ (error).message.split(/\.(?:\s|$)/)[0]}.`;

/** @param {unknown} error of `parseArgs` @returns {boolean} */
export const isArgumentError = (error) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/**
 * Returns the text of an error: the sentence of a Problem, or an unexpected error with its stack.
 * @param {unknown} error
 */
export function describeError(error) {
  if (hasCode(error, 'ENOSPC')) return 'The disk is full. Free some space and try again.';
  if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) {
    const path = error.path ?? 'a file';
    return `You may not use ${path}: it belongs to another user. Give it to yourself with chown, or use another folder.`;
  }
  if (error instanceof Problem)
    return error.details ? `${error.message}\n\n${indent(error.details)}` : error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** @param {unknown} error @param {string} code @returns {error is NodeJS.ErrnoException} */
const hasCode = (error, code) => error instanceof Error && 'code' in error && error.code === code;

/** @param {string} text */
const indent = (text) => text.replace(/^/gm, '    ');
