import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';

const languages = { sh: bash, js: javascript, json, ts: typescript, html: xml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.configure({ classPrefix: '' });

/**
 * The class of each highlight.js scope in site.css. Classes have one letter, because a page has hundreds of them. Other
 * scopes have no colour.
 */
const classes = new Map(
  Object.entries({
    c: ['comment'],
    k: ['keyword', 'built_in', 'name'],
    s: ['string', 'regexp'],
    n: ['number', 'literal'],
    f: ['attr', 'variable'],
  }).flatMap(([letter, scopes]) => scopes.map((scope) => [scope, letter])),
);

export const colourClasses = [...new Set(classes.values())];

/**
 * Returns the HTML of highlighted code. Returns an empty string for other languages, so that markdown-it shows plain
 * code.
 * @param {string} code @param {string} language
 */
export function coloured(code, language) {
  if (!hljs.getLanguage(language)) return '';
  /** @type {(string | undefined)[]} the classes of the open tags */
  const open = [];
  return hljs
    .highlight(code, { language })
    .value.replace(/<span class="(\w+)[^"]*">|<\/span>/g, (_, scope) => {
      if (scope === undefined) return open.pop() ? '</span>' : '';
      const letter = classes.get(scope);
      open.push(letter);
      return letter ? `<span class="${letter}">` : '';
    })
    .replaceAll('&#x27;', "'");
}
