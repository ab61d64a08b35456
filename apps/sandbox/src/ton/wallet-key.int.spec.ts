import { systemClock } from '@tollbridge/database';
import { sandboxKey, signingKeyOf } from '@tollbridge/ton';
import { Address, beginCell, external, internal, storeMessage, toNano, type Cell } from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { randomBytes } from 'node:crypto';
import { openTonHarness, type TonHarness } from './testing/open-ton-harness';

let harness: TonHarness;
beforeAll(async () => {
  harness = await openTonHarness(systemClock);
});
afterAll(() => harness?.close());
afterEach(() => expect(harness.problems.splice(0)).toEqual([]));

const { publicKey, sign } = sandboxKey('Ann of the wallets');
type AnyWallet = WalletContractV4 | WalletContractV5R1;
const wallets: [string, () => AnyWallet][] = [
  ['v4r2', () => WalletContractV4.create({ workchain: 0, publicKey })],
  ['v5r1', () => WalletContractV5R1.create({ workchain: 0, publicKey })],
];

async function deploy(wallet: AnyWallet): Promise<void> {
  await harness.simulator.fund({ address: wallet.address.toRawString(), nano: toNano('1'), usdtAtomic: 0n });
  const messages = [internal({ to: wallet.address, value: 1n, bounce: false })];
  const request = { seqno: 0, sendMode: 3, messages, signer: async (cell: Cell) => sign(cell.hash()) };
  const body: Cell = await (wallet.createTransfer as (request: object) => Promise<Cell>)(request);
  const message = external({ to: wallet.address, init: wallet.init, body });
  await harness.reader.sendBoc(beginCell().store(storeMessage(message)).endCell().toBoc());
  await harness.simulator.chain.idle();
}
const keyOf = ({ address }: { address: Address }) => signingKeyOf(harness.reader, address.toRawString());

it.each(wallets)('reads the key of a deployed wallet %s', async (_version, create) => {
  const wallet = create();
  expect(await keyOf(wallet)).toEqual({ kind: 'none' });
  await deploy(wallet);
  expect(await keyOf(wallet)).toEqual({ kind: 'key', publicKey });
});

// The second method belongs to the beta version of W5.
const allowing = ['is_signature_allowed', 'get_is_signature_auth_allowed'];
it.each(allowing)('detects with %s that a wallet accepts no signatures', async (name) => {
  const answers: Record<string, bigint> = { get_public_key: 5n, [name]: 0n };
  const runGetMethod = async (_address: string, method: string) =>
    method in answers ? { exitCode: 0, stack: [answers[method]] } : { exitCode: 11, stack: [] };
  expect(await signingKeyOf({ runGetMethod }, '')).toEqual({ kind: 'switchedOff' });
  answers[name] = -1n;
  expect(await signingKeyOf({ runGetMethod }, '')).toEqual({
    kind: 'key',
    publicKey: Buffer.from('05'.padStart(64, '0'), 'hex'),
  });
  for (const none of [0n, -5n, 2n ** 256n]) {
    answers['get_public_key'] = none;
    expect(await signingKeyOf({ runGetMethod }, '')).toEqual({ kind: 'none' });
  }
});

it('returns no key for an account that is not a wallet, or that returns other values', async () => {
  expect(await keyOf(harness.genesis.usdt)).toEqual({ kind: 'none' });
  expect(await keyOf({ address: new Address(0, randomBytes(32)) })).toEqual({ kind: 'none' });
  const runGetMethod = async () => ({ exitCode: 0, stack: [] });
  await expect(signingKeyOf({ runGetMethod }, '')).rejects.toMatchObject({ kind: 'badReply' });
  const failing = async (_address: string, method: string) => ({
    exitCode: method === 'get_public_key' ? 0 : 7,
    stack: [5n],
  });
  expect(await signingKeyOf({ runGetMethod: failing }, '')).toEqual({ kind: 'switchedOff' });
});

describe('Sandbox deposit account', () => {
  it('uses the configured account', async () => {
    const { TonSimulator } = await import('./ton.simulator');
    const account = new Address(0, randomBytes(32));
    const parts = {
      clock: systemClock,
      database: { pool: undefined as never },
      publicUrl: () => '',
      onError: () => undefined,
    };
    const configured = (nanopayDepositAddress: string) =>
      new TonSimulator({ ...parts, nanopayDepositAddress }).depositAccount();
    expect(await configured(account.toString({ bounceable: false }))).toBe(account.toRawString());
    await expect(configured('0x12')).rejects.toThrow('SANDBOX_NANOPAY_DEPOSIT_ADDRESS');
    const usual = new TonSimulator(parts).depositAccount();
    expect(await usual).toBe(harness.genesis.deposits.address.toRawString());
  });
});
