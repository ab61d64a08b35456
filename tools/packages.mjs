// Installs groups of packages, or all groups by default: npm run packages -- apps services develop
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './local/directory.mjs';
import { readOptions } from './local/options.mjs';
import { prepare } from './local/prepare.mjs';
import { describeError, exitCodeOf, TypingMistake } from './local/problem.mjs';
import { groupsOf } from './local/start-packages.mjs';

const { words } = readOptions({}, { words: 20 });
const known = Object.keys(groupsOf(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))));
try {
  const unknown = words.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new TypingMistake(`No group has the name ${unknown.join(', ')}. The groups: ${known.join(', ')}.`);
  await prepare(words.length > 0 ? { groups: ['first', ...words] } : {});
} catch (error) {
  console.error(`\n  ${describeError(error)}\n`);
  process.exit(exitCodeOf(error));
}
