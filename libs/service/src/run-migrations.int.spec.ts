import { freshDatabase } from '@tollbridge/testing';
import { join } from 'node:path';
import { runProgram } from './testing/child';

async function runMigrations(url?: string) {
  const child = runProgram(
    `
    import { runMigrations } from ${JSON.stringify(join(__dirname, 'run-migrations'))};
    class CreateGoods1700000000000 {
      readonly name = 'CreateGoods1700000000000';
      async up(runner: { query(text: string): Promise<unknown> }) { await runner.query('CREATE TABLE goods (id text)'); }
      async down() {}
    }
    runMigrations({ app: 'shop', migrations: [CreateGoods1700000000000] as never, urlVariable: 'SHOP_OWNER_URL' });
    `,
    url === undefined ? {} : { SHOP_OWNER_URL: url },
  );
  return { code: await child.ended, output: child.output(), errors: child.errors() };
}

it('brings the schema up to date and says so, once and again', async () => {
  const fresh = await freshDatabase('shop');
  expect(await runMigrations(fresh.ownerUrl)).toEqual({
    ...{ code: 0, output: 'shop: ran CreateGoods1700000000000\n', errors: '' },
  });
  expect(await runMigrations(fresh.ownerUrl)).toMatchObject({
    ...{ code: 0, output: 'shop: the schema is up to date\n' },
  });
  await fresh.drop();
});

it('without its variable says which, and ends with 1', async () => {
  const { code, errors } = await runMigrations();
  expect(code).toBe(1);
  expect(errors).toContain('SHOP_OWNER_URL is missing');
});

it.each(['127.0.0.1', 'localhost'])(
  'without a server at %s says so in a line, and ends with 1',
  async (host) => {
    const { code, errors } = await runMigrations(`postgres://shop:hunter2@${host}:1/shop`);
    expect(code).toBe(1);
    expect(errors).toMatch(/^shop: .*ECONNREFUSED.*\n$/);
    expect(errors).not.toContain('hunter2');
  },
);
