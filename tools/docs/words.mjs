/**
 * Words and forms that the project does not use, and their replacements. camelCase and snake_case names are split
 * before the search, so the words in identifiers also count. The forms of comments and titles are in forms.mjs.
 *
 * @typedef {object} Word
 * @property {RegExp} pattern
 * @property {string} write
 */

/** @type {Word[]} */
export const words = [
  { pattern: /\bnobody\b/i, write: 'the actor: "no client", "no provider", "no process"' },
  {
    pattern: /\b(somebody|anybody|everybody)\b/i,
    write: 'the actor: "a client", "any caller", "every payer"',
  },
  { pattern: /\b(whoever|whomever)\b/i, write: 'the actor: "the client that", "the process that"' },
  { pattern: /\bwhom\b/i, write: 'the actor: "the payer that", "which client"' },
  { pattern: /\b(he|his|him|himself|she|her|hers|herself)\b/i, write: 'the actor, or "they", "their"' },
  { pattern: /\banew\b/i, write: '"again", "rebuild", "reload", "replay", "retry"' },
  { pattern: /\b(tells?|told|telling)\b/i, write: '"publish", "emit", "notify", "report", "say"' },
  { pattern: /\b(hears?|heard|hearing)\b/i, write: '"consume", "subscribe", "receive", "handle"' },
  {
    pattern: /\brefus(e|es|ed|al|als|ing)\b/i,
    write: '"reject" (422, 403), "decline" (a card or provider)',
  },
  { pattern: /\bjudg(e|es|ed|ing|ement)\b/i, write: '"verify", "validate"' },
  { pattern: /\bparked\b/i, write: '"dead letter", "exhausted"' },
  {
    pattern: /\b(set|sets|setting|put|puts|putting) aside\b/i,
    write: '"reserve", "hold", "dead-letter"',
  },
  {
    pattern: /\b(give|gives|given|giving|goes|going|went) back\b/i,
    write: '"return", "release", "refund", "withdraw"',
  },
  {
    pattern: /\b(take|takes|taken|taking|took) back\b/i,
    write: '"reverted", "reorged", "withdrawn"',
  },
  { pattern: /\bh(e|o)ld against\b/i, write: '"compare with", "charge to"' },
  {
    pattern: /\bpictures?\b/i,
    write: '"state", "projection", "snapshot", "cache"; "image" or "diagram" of pixels',
  },
  { pattern: /\bnoted\b/i, write: '"record", "store", "persist"' },
  { pattern: /\bplayed\b/i, write: '"fake", "simulator", "fixture"' },
  { pattern: /(?<!\b(real|outside|hello) )\bworlds?\b/i, write: '"test environment", "harness", "sandbox"' },
  { pattern: /\bproblems of\b/i, write: '"validateX", "fieldErrorsOfX"' },
  {
    // "There is no", "no longer" and "has no" are accepted, because they state that something is missing.
    pattern:
      /(?<!\b(there|where) )\b(is|are|was|were|be|been|being|becomes?|became) no (?!longer\b|more than\b)[a-z]/i,
    write: '"is not a", "expected ..., got ..."',
  },
  {
    pattern:
      /(?<!-)\b(of|by|to|in|on|at|under|over|from|with|for|through|without|after|before|during|within|between|against|upon) which\b/i,
    write: 'two sentences, or a clause with "that", "where" or "when"',
  },
  {
    pattern: /\bwhose\b/i,
    write: 'two sentences, or "with": "the wallet that sent it", "an app with a missing stream"',
  },
];

/**
 * Allowed text. Matches of `text` in the listed files are not searched.
 *
 * @typedef {object} Exception
 * @property {RegExp} text in the original line, before names are split
 * @property {RegExp} [files] matches paths from the root; all files by default
 * @property {string} reason
 */

/** @type {Exception[]} */
export const exceptions = [
  {
    text: /\bopenWorldHint\b/g,
    reason: 'a field of tools in the Model Context Protocol',
  },
  {
    text: /'he'|`he`|\.\/he'|\bhe(?=:| }|, texts)/g,
    files: /^apps\/(gateway\/src\/pages\/(texts\/|receipts\/receipt-pdf\.spec)|web\/src\/embed\/texts)/,
    reason: 'the language code of Hebrew',
  },
  {
    text: /(\\?['"`])(refused|parked)\1/g,
    reason: 'stored and published status values; changing them needs a migration and breaks clients',
  },
  {
    text: /\b(is_told|judge_at|orders_judge|sign_in_records_refusals|ledger_refuse_change|purchases_refused|refuse_key_plan_change|card_reveals_refuse_change)\b/g,
    reason: 'columns, constraints and functions of the databases; renaming them needs a migration',
  },
  {
    text: /(?<=\b(FROM|INTO|UPDATE|TABLE|Entity\(|name:) *['"`]?(tee\.)?|\| `)told\b/g,
    files: /^(apps\/tee\/|docs\/operations\/retention\.md$)/,
    reason: 'the table `told` of tee',
  },
  {
    text: /\b(refusal|refused)\b/g,
    files: /^apps\/(merchant|service-api)\/.*\.(repository|entity)\.ts$/,
    reason: 'columns of payments, purchases and payout_batches',
  },
  {
    text: /\b(RecipientRefused|WithdrawalRefused|uint256 refused)\b/g,
    reason: 'the ABI of contracts: a new name would be another contract at another address',
  },
  {
    text: /\b(MERCHANT_)?SANDBOX_WORLD_FILE\b|\bworld\.json\b|\bop\.sandbox\.world\b|'sandbox', 'world'/g,
    reason: 'a setting, its file and the subject of an operation',
  },
  {
    text: /\/world\b|\bworld:/g,
    files: /^(docker-compose\.yml|deploy\/Dockerfile)$/,
    reason: 'the volume of existing deployments',
  },
  { text: /\b(quote|tcb_status)_refused\b/g, reason: 'reasons of an attestation that is not valid' },
  { text: /known-to-everybody/g, reason: 'part of the public secrets of development' },
  {
    text: /\b(merchant-transaction-told|told_singleton_check|a_secret_of_the_sandbox_that_everybody_knows)\b/g,
    reason: 'an inbox consumer, a constraint and a public example secret',
  },
  {
    text: /\brefusal\b/g,
    files: /^apps\/service-api\/src\/purchases\//,
    reason: 'property of the column purchases.refusal',
  },
  { text: /\bworldFile\b/g, files: /^apps\/merchant\/src\/config/, reason: 'value of a setting' },
  {
    text: /operations\[`tell|anywhere in the world/g,
    reason: 'a published key of asyncapi.json, and the planet',
  },
  { text: /\b(PURCHASE|RECIPIENT|MESSAGE)_REFUSED\b|'REFUSED'/g, reason: 'codes of the API' },
  { text: /'Parked'/g, files: /webhooks\.tsx$/, reason: 'the label of a published status' },
  { text: /\bSENDER_IS_NO_PAYER\b/g, reason: 'a stored reason of refunds; changing it needs a migration' },
  { text: /(['"`])nobody\1/g, files: /^tools\/local\//, reason: 'the user of that name on every Linux' },
];

/** Files that are not searched. @type {{ files: RegExp, reason: string }[]} */
export const notSearched = [
  { files: /^tools\/docs\/words(\.test)?\.mjs$/, reason: 'they name the words' },
  { files: /\/migrations\//, reason: 'an executed migration is never edited' },
  { files: /^package-lock\.json$/, reason: 'names of packages' },
  { files: /^docs\/(openapi|asyncapi)\.json$/, reason: 'generated from libs/contracts, which is searched' },
  { files: /^deploy\/compose\/compose-spec/, reason: 'a copy of a published specification' },
  { files: /^tools\/image\/cyclonedx\//, reason: 'copies of published specifications' },
  { files: /^docs\/plans\//, reason: 'they quote what is to be done' },
  { files: /(^|\/)LICENSE/, reason: 'the text of a licence' },
];

/** The first line of a file that `npm run docs` generates from files that are searched. */
const generatedMark = /^(<!--|#|\/\/) ?Written by `npm run docs`/;

/** @param {string} path from the root @param {string} text */
export function isSearched(path, text) {
  return !notSearched.some(({ files }) => files.test(path)) && !generatedMark.test(text);
}

/**
 * @param {string} path from the root
 * @param {string} text
 * @returns {{ line: number, word: string, write: string }[]}
 */
export function findWords(path, text) {
  const allowed = exceptions.filter(({ files }) => files?.test(path) ?? true);
  // One search of the whole text is fast, and few files have findings.
  if (!anyWord.test(splitNames(text))) return [];
  return text.split('\n').flatMap((line, index) => {
    const searched = wordsOf(allowed.reduce((rest, { text }) => rest.replaceAll(text, ' '), line));
    return words.flatMap(({ pattern, write }) => {
      const word = pattern.exec(searched)?.[0];
      return word === undefined ? [] : [{ line: index + 1, word, write }];
    });
  });
}

const anyWord = new RegExp(words.map(({ pattern }) => pattern.source).join('|'), 'i');

/** Long runs of letters and digits are keys, hashes and encoded bytes, not words. */
const encoded = /[A-Za-z0-9+/=]{24,}/g;

/** @param {string} line */
const wordsOf = (line) => splitNames(line.replaceAll(encoded, (run) => (/\d/.test(run) ? ' ' : run)));

/** @param {string} text */
const splitNames = (text) => text.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').replaceAll('_', ' ');
