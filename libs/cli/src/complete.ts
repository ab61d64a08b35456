import { globalFlags } from './command';
import { commands } from './command-list';
import { operations, webhookTypes } from './generated/api';
import { fieldFlags, groups, operationFlags } from './operation-flags';
import { plain, type FlagInfo } from './parse-flags';
import { shells } from './shells';

/** Returns the candidates for the last word. @param words after `tollbridge` */
export function complete(words: readonly string[]): string[] {
  const [last = '', ...before] = [...words].reverse();
  return candidates(before.reverse(), last).filter((each) => each.startsWith(last));
}

function candidates(before: readonly string[], last: string): string[] {
  const [first, second] = before;
  if (first === undefined)
    return [...new Set([...commands.map(({ name }) => name.split(' ')[0]!), ...groups().keys(), 'help'])];
  const twoWords = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (second === undefined && twoWords.length > 0) return twoWords.map(({ name }) => name.split(' ')[1]!);
  const own = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (own) {
    const flags = flagCandidates([...own.flags, ...globalFlags], before, last);
    if (flags) return flags;
    if (own.completes === 'webhook-types') return Object.keys(webhookTypes);
    return own.completes === 'shells' ? [...shells] : [];
  }
  const inGroup = operations.filter(({ group }) => group === first);
  if (second === undefined) return inGroup.map(({ name }) => name);
  const operation = inGroup.find(({ name }) => name === second);
  if (!operation) return [];
  return (
    flagCandidates([...fieldFlags(operation), ...operationFlags(operation), ...globalFlags], before, last) ??
    []
  );
}

/** Returns options, or the values of the previous option; undefined when neither is expected. */
function flagCandidates(
  flags: readonly FlagInfo[],
  before: readonly string[],
  last: string,
): string[] | undefined {
  if (last.startsWith('-')) return flags.map(({ name }) => `--${name.replaceAll('_', '-')}`);
  const previous = before.at(-1) ?? '';
  const flag = flags.find(
    ({ name }) => previous.startsWith('--') && plain(name) === plain(previous.slice(2)),
  );
  return flag?.value === undefined ? undefined : [...(flag.values ?? [])];
}
