import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../local/directory.mjs';

const folder = 'apps/gateway/src/pages/texts';

/** Renders the types of the placeholder values in en.json. TypeScript infers only `string` from a JSON file. */
export function renderPlaceholders() {
  const { pages } = JSON.parse(readFileSync(join(repository, folder, 'en.json'), 'utf8'));
  const fields = Object.entries(pages).flatMap(([key, text]) => {
    const names = new Set([...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name]) => `'${name}'`));
    return names.size > 0 ? [`  ${key}: ${[...names].join(' | ')};`] : [];
  });
  return `// Written by \`npm run docs\` from en.json.
/** The placeholders of each text that has any. */
export interface Placeholders {
${fields.join('\n')}
}
`;
}
