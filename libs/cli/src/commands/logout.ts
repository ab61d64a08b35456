import type { CommandContext } from '../command';
import { readStored, writeStored } from '../profiles';

export async function run({ terminal, flag, isJson }: CommandContext): Promise<void> {
  const { env } = terminal;
  const stored = readStored(env);
  const name = flag('profile') ?? env['TOLLBRIDGE_PROFILE'] ?? stored.current;
  const show = (was_logged_in: boolean, text: string): void =>
    terminal.out(isJson ? JSON.stringify({ profile: name, was_logged_in }, null, 2) : text);
  if (!Object.hasOwn(stored.profiles, name)) return show(false, `Profile ${name} is not logged in.`);
  const { [name]: _gone, ...profiles } = stored.profiles;
  const current = stored.current === name ? (Object.keys(profiles)[0] ?? 'default') : stored.current;
  writeStored(env, { ...stored, current, profiles });
  show(true, `Logged out of profile ${name}. The key itself stays valid: delete it in the dashboard.`);
}
