import { operations } from './http';

/** `METHOD path CODE` of every executed case; compared with the declared codes. */
const covered = new Set<string>();

/** The cases of one route. Each title begins with the code of the reply: `OK`, or an error. */
export function route(title: string, cases: Record<string, () => Promise<void>>): void {
  describe(title, () => {
    for (const [name, run] of Object.entries(cases)) {
      it(name, async () => {
        await run();
        covered.add(`${title} ${name.split(':', 1)[0]}`);
      });
    }
  });
}

/** Declared successes and errors of the selected apps without a case. */
export function notCovered(isWanted: (app: string) => boolean): string[] {
  return operations
    .filter(({ app }) => isWanted(app))
    .flatMap(({ method, path, errors }) => ['OK', ...errors].map((code) => `${method} ${path} ${code}`))
    .filter((name) => !covered.has(name));
}

/** A failure in the bare style: its status, its code, and exactly these fields for a bad request. */
export async function expectFailure(
  reply: Promise<{ status: number; body: any }>,
  status: number,
  code: string,
  ...fields: string[]
): Promise<void> {
  const { status: actual, body } = await reply;
  expect({ status: actual, code: body.code }).toEqual({ status, code });
  expect(typeof body.error).toBe('string');
  if (fields.length > 0)
    expect(body.details.map(({ field }: { field: string }) => field).sort()).toEqual(fields.sort());
}
