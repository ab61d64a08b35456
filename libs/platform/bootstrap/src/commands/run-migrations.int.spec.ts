import { freshDatabase, runProgram } from '@tollbridge/testing';
import { join } from 'node:path';

async function runMigrations(env: NodeJS.ProcessEnv) {
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
    env,
  );
  return { code: await child.ended, output: child.output(), errors: child.errors() };
}

const at = (url: string) => ({ TOLLBRIDGE_ENV: 'sandbox', SHOP_OWNER_URL: url });

describe('runMigrations', () => {
  it('runs the migrations, and reports an up-to-date schema on the next run', async () => {
    const fresh = await freshDatabase('shop');
    const { code, output, errors } = await runMigrations(at(fresh.ownerUrl));
    expect([code, errors]).toEqual([0, '']);
    expect(output.replace(/took [\d.]+ s/, 'took S s')).toBe(
      [
        'shop: CreateGoods1700000000000 begins',
        'shop: CreateGoods1700000000000 took S s',
        'shop: ran CreateGoods1700000000000\n',
      ].join('\n'),
    );
    expect(await runMigrations(at(fresh.ownerUrl))).toMatchObject({
      code: 0,
      output: 'shop: the schema is up to date\n',
    });
    await fresh.drop();
  });

  it('reports the missing variable and exits with 1', async () => {
    const { code, errors } = await runMigrations({ TOLLBRIDGE_ENV: 'sandbox' });
    expect(code).toBe(1);
    expect(errors).toContain('SHOP_OWNER_URL is missing');
  });

  it('changes nothing, lists the environments and exits with 1 when TOLLBRIDGE_ENV is missing', async () => {
    const { code, output, errors } = await runMigrations({
      SHOP_OWNER_URL: 'postgres://shop:hunter2@127.0.0.1:1/shop',
    });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain('TOLLBRIDGE_ENV is missing: set it to one of sandbox, test, production');
    expect(errors).not.toMatch(/ECONNREFUSED|hunter2/);
  });

  it.each(['127.0.0.1', 'localhost'])(
    'reports in one line that no server listens at %s, and exits with 1',
    async (host) => {
      const { code, errors } = await runMigrations(at(`postgres://shop:hunter2@${host}:1/shop`));
      expect(code).toBe(1);
      expect(errors).toMatch(/^shop: .*ECONNREFUSED.*\n$/);
      expect(errors).not.toContain('hunter2');
    },
  );
});
