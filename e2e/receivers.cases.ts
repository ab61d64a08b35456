import { findChain } from '@tollbridge/chains';
import { fieldsOf, type Class } from '@tollbridge/rpc';
import { operations, type Api } from './http';
import type { NanoBuyer } from './nano-buyer';
import type { Swapper } from './swapper';

interface Given {
  api: Api;
  swapper: Swapper;
  buyer: NanoBuyer;
}

/** The paths of the fields of a class that receive money. */
function receiversOf(source: Class<unknown>): string[] {
  return fieldsOf(source).flatMap(({ name, receivesMoney, nested }) => {
    if (receivesMoney) return [name];
    const place = nested?.isList ? `${name}[0]` : name;
    return nested ? receiversOf(nested.class()).map((below) => `${place}.${below}`) : [];
  });
}

const receiving = operations.flatMap((operation) =>
  receiversOf(operation.input).map((field) => ({ operation, field })),
);

/** Every request field that receives money rejects addresses that would lose it. */
export function receiversCases(given: () => Given): void {
  const wallet = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

  /** A request to each operation with an invalid value in the tested field. Other fields are valid, or are not read. */
  const bodies: Record<string, () => Promise<object>> = {
    createOrder: async () => ({
      pay_blockchain: 'base',
      pay_token: 'USDC',
      settle_chain: 'base',
      settle_token: 'USDC',
      merchant_address: wallet,
      merchant_amount: '1000000',
      fee_receiver: wallet,
      fee_amount: '1',
      merchant_id: 'shop',
      payer_address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    }),
    createPayLink: async () => ({
      name: 'Espresso',
      description: '',
      amount: '1000000',
      token: 'USDC',
      network: 'eip155:8453',
      receiveAddress: wallet,
    }),
    createPaymentRequest: async () => ({ amount: '1000000', currency: 'USDC', chain: 'base' }),
    executePayment: async () => ({
      id: await requestId(),
      selected_option: { from_token: 'USDT', from_chain: 'base' },
    }),
    setReceiveAddress: async () => ({ id: await requestId(), receive_address: wallet }),
    previewPayout: async () => payout(),
    submitPayout: async () => payout(),
    buildTransactions: async () => ({ quoteId: await quoteId(), userAddress: wallet }),
    batchTransactions: async () => ({
      transactions: [{ id: 'one', quoteId: await quoteId(), userAddress: wallet }],
    }),
    verifyPayment: async () => ({}),
    withdrawNano: async () => ({ address: given().buyer.address, amount: '1' }),
  };

  const payout = () => {
    const sender = given().swapper.sandbox.merchant.wallet;
    return { wallet: sender, chain: 'base', token: 'USDC', recipients: [{ address: wallet, amount: 1 }] };
  };
  const requestId = async (): Promise<string> => {
    const request = { amount: '1000000', currency: 'USDC', chain: 'base', receive_address: wallet };
    return (await given().api.post('/api/v1/merchant/payment-requests', request)).body.id;
  };
  const quoteId = async (): Promise<string> => {
    const { swapper } = given();
    const wish = { from: 'USDT', to: 'USDC', amount: 1_000_000n };
    return (await swapper.data(swapper.quote(wish))).quoteId;
  };

  async function losing(app: string): Promise<Record<string, string>> {
    if (app === 'nanopay') {
      const { body } = await given().api.get('/supported');
      const usdt = findChain('ton')!.tokens.find(({ symbol }) => symbol === 'USDT')!.address!;
      const { verifyingContract } = body.kinds[0].extra;
      return { burn: `0:${'0'.repeat(64)}`, contract: verifyingContract, token: usdt };
    }
    const [{ payContract, tokens }] = given().swapper.sandbox.chains as [any];
    const { address: token } = tokens.find(({ symbol }: { symbol: string }) => symbol === 'USDC');
    return { burn: '0x000000000000000000000000000000000000dEaD', contract: payContract, token };
  }

  describe('addresses that receive money', () => {
    it.each(receiving.map(({ operation, field }) => [operation.path, field, operation] as const))(
      '%s %s: rejects a burn address, our contract and a token',
      async (path, field, { name, app, pathFields }) => {
        const good = bodies[name];
        if (!good) throw new Error(`${name} has a field that receives money and no body here to try it with`);
        for (const [what, address] of Object.entries(await losing(app))) {
          const body: any = await good();
          const places = field.split(/\[(\d+)\]\.|\./).filter(Boolean);
          const last = places.pop()!;
          places.reduce((below, place) => below[place], body)[last] = address;
          const url = path.replace(/\{(\w+)\}/g, (_, key: string) => body[key]);
          for (const key of pathFields) delete body[key];
          const reply = await given().api.post(url, body);
          expect({ what, said: rejections(reply.body, field) }).toEqual({ what, said: [expect.any(String)] });
        }
      },
    );
  });
}

/** The errors of a field in a reply: top-level, in an envelope, or in the only item of a batch. */
function rejections(body: any, field: string): string[] {
  const [item] = body.data?.transactions ?? [];
  const inEnvelope = item?.error ?? body.error;
  const { code, details } = typeof inEnvelope === 'object' ? inEnvelope : body;
  expect(code).toBe('VALIDATION_ERROR');
  const name = item ? field.split('.').at(-1) : field;
  return details
    .filter((problem: { field: string }) => problem.field === name)
    .map((problem: { message: string }) => problem.message)
    .filter((message: string) => /would be lost: give the address of a wallet$/.test(message));
}
