import { advanceSandboxClock } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { UsageError } from '../exit-codes';
import { renderFields } from '../output';

/** Advances the clock of the sandbox. */
export async function run({ terminal, client, positionals, isJson }: CommandContext): Promise<void> {
  const by = positionals[0]!;
  if (!/^[1-9]\d{0,7}[smhd]$/.test(by))
    throw new UsageError(
      `${by} is not a length of time.`,
      'Write a whole number with s, m, h or d: tollbridge clock advance 40m',
    );
  const clock = await advanceSandboxClock(client, { by });
  terminal.out(isJson ? JSON.stringify(clock, null, 2) : renderFields({ ...clock }));
}
