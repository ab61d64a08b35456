import * as sdk from '@tollbridge/sdk';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { globalFlags } from './command';
import { commands } from './command-list';
import { complete } from './complete';
import { errorActions, operations } from './generated/api';
import { exampleOf } from './help';
import { fieldFlags, operationFlags } from './operation-flags';
import { plain } from './parse-flags';
import { FakeApi, type FakeReply, type SeenRequest } from './testing/fake-api';
import { FakeTerminal } from './testing/fake-terminal';

let reply: FakeReply | ((request: SeenRequest) => FakeReply) = {};
let api: FakeApi;
beforeAll(async () => {
  api = await FakeApi.start((request) => (typeof reply === 'function' ? reply(request) : reply));
});
afterAll(() => api.close());
beforeEach(() => {
  reply = {};
  api.requests.length = 0;
});

async function run(line: string, input = '') {
  const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url });
  terminal.input = input;
  const code = await terminal.run(line);
  return { code, out: terminal.stdout, note: terminal.stderr, request: api.requests.at(-1) };
}

describe('every operation', () => {
  it.each(operations.map((operation) => [`${operation.group} ${operation.name}`, operation] as const))(
    '%s has an SDK function, help with an example, and unique options',
    async (name, operation) => {
      expect(sdk).toHaveProperty(operation.id, expect.any(Function));
      const help = await run(`${name} --help`);
      expect(help).toMatchObject({ code: 0, note: '' });
      expect(help.out).toContain(operation.summary);
      for (const { name: field } of operation.fields)
        expect(help.out).toContain(`--${field.replaceAll('_', '-')}`);
      const flags = [...fieldFlags(operation), ...operationFlags(operation), ...globalFlags].map((flag) =>
        plain(flag.name),
      );
      expect(new Set(flags).size).toBe(flags.length);
      // The example is a valid command line. Only the fake reply may cause an error.
      const { code, note } = await run(exampleOf(operation).slice('tollbridge '.length));
      expect([code, note]).not.toEqual([2, expect.anything()]);
    },
  );

  it('belongs to a group with a name that differs from every command', () => {
    const own = commands.map(({ name }) => name.split(' ')[0]);
    expect(operations.filter(({ group }) => own.includes(group) || group === 'help')).toEqual([]);
  });
});

describe('the first word of a command', () => {
  it.each(['events', 'events --help', 'help events'])('%s lists the commands', async (line) => {
    expect(await run(line)).toMatchObject({ code: 0, out: expect.stringContaining('events replay <id>') });
  });

  it('fails with an unknown second word', async () => {
    const { code, note } = await run('clock back 5m');
    expect([code, note]).toEqual([2, expect.stringMatching(/clock has no command back\.[^]*clock advance/)]);
  });
});

describe('every command', () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    '%s has help with examples, and options that differ from the global options',
    async (name, command) => {
      const { code, out } = await run(`${name} --help`);
      expect(code).toBe(0);
      for (const text of [command.summary, ...command.examples]) expect(out).toContain(text);
      for (const example of command.examples) expect(example).toMatch(new RegExp(`tollbridge ${name}\\b`));
      const names = [...command.flags, ...globalFlags].map((flag) => flag.name);
      expect(new Set(names).size).toBe(names.length);
    },
  );
});

describe('an operation', () => {
  it('sends its options as the body', async () => {
    reply = { body: { order_id: 'o1', method: 'Direct' } };
    const { code, out, request } = await run(
      "payment-requests create-payment-request --amount 100 --currency USDC --metadata.cart 4711 --metadata.tags '[1]'",
    );
    expect([code, out]).toEqual([0, 'order_id  o1\nmethod    Direct']);
    expect(request).toMatchObject({ method: 'POST', path: '/api/v1/merchant/payment-requests' });
    expect(JSON.parse(request!.body)).toEqual({
      amount: '100',
      currency: 'USDC',
      metadata: { cart: '4711', tags: [1] },
    });
    expect(request!.headers['idempotency-key']).toMatch(/\S/);
  });

  it('reads fields from JSON, a file and standard input, and options override them', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'tollbridge-cli-')), 'input.json');
    writeFileSync(file, '{"amount": "1", "currency": "USDC"}');
    const bodies = [];
    for (const data of [`@${file}`, '-', '\'{"amount":"1","currency":"USDC"}\''])
      bodies.push(
        JSON.parse(
          (
            await run(
              `payment-requests create-payment-request --data ${data} --amount 2`,
              '{"amount":"1","currency":"USDC"}',
            )
          ).request!.body,
        ),
      );
    expect(bodies).toEqual(Array(3).fill({ amount: '2', currency: 'USDC' }));
  });

  it('reads a path field from an argument, and accepts a wallet and an idempotency key', async () => {
    const line = 'paylinks set-paylink-active id-1 --active false --as-wallet 0x1 --idempotency-key k1';
    expect((await run(line)).request).toMatchObject({
      method: 'PUT',
      path: '/api/paylinks/id-1/toggle',
      body: '{"active":false}',
      headers: { 'x-wallet': '0x1', 'idempotency-key': 'k1' },
    });
  });

  it('prints a list as a table, as JSON, and with all pages', async () => {
    reply = ({ path }) => ({
      body: path.includes('cursor=c1')
        ? { payments: [{ id: 'p2' }], next_cursor: null }
        : { payments: [{ id: 'p1' }], next_cursor: 'c1' },
    });
    expect((await run('payment-requests list-payments')).out).toBe('id\np1\nMore: --cursor c1');
    expect((await run('payment-requests list-payments --all')).out).toBe('id\np1\np2');
    expect(JSON.parse((await run('payment-requests list-payments --json')).out)).toEqual({
      payments: [{ id: 'p1' }],
      next_cursor: 'c1',
    });
  });

  it.each([
    ['oders list', 2, 'Did you mean orders?'],
    ['orders get-ordr x', 2, 'Did you mean get-order?'],
    ['orders get-webhook x', 2, 'Did you mean webhooks get-webhook?'],
    ['createOrder', 2, 'Did you mean orders create-order?'],
    ['orders get-order', 2, 'get-order needs --id.'],
    ['orders get-order a b', 2, 'b is an unexpected argument.'],
    ['orders get-order a --id b', 2, 'id is set twice'],
    ['orders list-orders --payer x --limit ten', 2, '--limit must be a number, not ten.'],
    ['orders get-order x --all', 2, 'Unknown option --all'],
    ['payment-requests create-payment-request --data [1]', 2, '--data must be a JSON object.'],
    ['payment-requests create-payment-request --data null', 2, '--data must be a JSON object.'],
    ['payment-requests create-payment-request --data @/nowhere.json', 2, 'cannot be read'],
    ["payment-requests create-payment-request --amount 1 --metadata.__proto__ '{}'", 2, 'cannot be set'],
    ['webhooks list-webhooks --status lost', 2, '--status cannot be lost.'],
    ['listn', 2, 'Did you mean listen?'],
    ['--jsn', 2, 'Unknown option --jsn.'],
    ['pay', 2, 'pay needs'],
    ['pay a b', 2, 'b is an unexpected argument.'],
    ['completion powershell', 2, 'bash, zsh, fish'],
    ['trigger order.sttled', 2, 'Did you mean order.settled?'],
    ['listen', 2, '--forward-to'],
    ['listen --print-json --events order.sttled', 2, 'Did you mean order.settled?'],
    ['listen --forward-to file:///x', 2, 'not an http address'],
    ['events replay msg_1', 2, 'not the id of a message'],
    ['doctor --app gateway', 2, '--app needs --env-file'],
    ['doctor --env-file /nowhere', 2, 'cannot be read'],
  ])('%s exits with %s', async (line, code, message) => {
    const result = await run(line);
    expect([result.code, result.out]).toEqual([code, '']);
    expect(result.note).toContain(message);
    expect(api.requests).toEqual([]);
  });
});

describe('a failure of the API', () => {
  const failure = (code: string, more = {}) => ({ error: 'It failed.', code, request_id: 'req_1', ...more });

  it('prints its fields, the next step, and the request id', async () => {
    const details = [{ field: 'payer', message: 'must be an address' }];
    reply = { status: 400, body: failure('VALIDATION_ERROR', { details }) };
    const { code, note } = await run('orders list-orders --payer x');
    expect(code).toBe(1);
    expect(note).toContain('Error: It failed. (VALIDATION_ERROR)\n  payer must be an address\n');
    expect(note).toContain(errorActions['VALIDATION_ERROR']!.replaceAll('`', ''));
    expect(note).toContain('Request: req_1');
  });

  it('prints JSON with --json', async () => {
    reply = { status: 404, body: failure('NOT_FOUND') };
    const { code, note } = await run('orders get-order x --json');
    expect([code, JSON.parse(note)]).toMatchObject([1, { code: 'NOT_FOUND', request_id: 'req_1' }]);
  });

  it.each([
    [401, 'UNAUTHORIZED', 3, 'Run: tollbridge login; in a sandbox: tollbridge login --sandbox'],
    [403, 'FORBIDDEN', 3, 'permission'],
    [504, 'OUTCOME_UNKNOWN', 4, '--idempotency-key k1'],
  ])('has a specific exit code for status %s', async (status, name, code, hint) => {
    reply = { status, body: failure(name) };
    const line = 'webhooks rotate-webhook-secret --idempotency-key k1';
    const result = await run(line);
    expect(result.code).toBe(code);
    expect(result.note).toContain(hint);
  });

  it('suggests no repetition for a command without an idempotency key', async () => {
    const terminal = new FakeTerminal({ TOLLBRIDGE_URL: 'http://127.0.0.1:1' });
    expect(await terminal.run('listen --print-json')).toBe(4);
    expect(terminal.stderr).not.toContain('--idempotency-key');
  });

  it('prints the idempotency key for a repetition when no reply arrived', async () => {
    const terminal = new FakeTerminal({ TOLLBRIDGE_URL: 'http://127.0.0.1:1' });
    expect(await terminal.run('webhooks rotate-webhook-secret --idempotency-key k1')).toBe(4);
    expect(terminal.stderr).toContain('--idempotency-key k1');
  });
});

describe('completion', () => {
  it.each([
    [['li'], ['listen']],
    [['events', ''], ['replay']],
    [['orders', 'cre'], ['create-order']],
    [['orders', 'get-order', '--i'], ['--id']],
    [
      ['trigger', 'order.se'],
      ['order.settling', 'order.settled'],
    ],
    [
      ['webhooks', 'list-webhooks', '--status', 'p'],
      ['pending', 'parked'],
    ],
    [['pay', '--scheme', 'e'], ['exact']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nothing', 'x', ''], []],
  ])('completes %j to %j', (words, wanted) => {
    expect(complete(words)).toEqual(wanted);
  });
});
