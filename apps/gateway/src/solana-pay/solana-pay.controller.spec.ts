import { DomainError, type BusClient } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SolanaPayController } from './solana-pay.controller';

const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const account = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri';
const order = {
  method: 'Direct',
  pay_blockchain: 'solana',
  pay_token: 'USDC',
  merchant_amount: '1000000',
  fee_amount: '5000',
  merchant_id: 'demo-merchant',
};
const request = { call: { requestId: 'req_1' } } as FastifyRequest;
const bodyOf = (fields: object): Buffer => Buffer.from(JSON.stringify(fields));

let answers: Record<string, () => unknown>;
let asked: [operation: string, input: unknown][];
let sent: { status: number; body: unknown };

const reply = {
  code(status: number) {
    sent.status = status;
    return reply;
  },
  send(body: unknown) {
    sent.body = body;
    return reply;
  },
} as FastifyReply;
const bus = {
  call: async ({ name }: { name: string }, input: unknown) => {
    asked.push([name, input]);
    return answers[name]!();
  },
} as unknown as BusClient;
const controller = new SolanaPayController(bus, { GATEWAY_PUBLIC_URL: 'https://pay.example/' });

beforeEach(() => {
  asked = [];
  sent = { status: 200, body: undefined };
  answers = {
    getOrder: () => order,
    walletCall: () => ({ wallet_call: { solana: { transaction: 'AQAB' } } }),
  };
});

describe('Solana Pay', () => {
  it('returns the merchant, and an image with an absolute URL', async () => {
    await controller.read(id, request, reply);
    expect(sent).toEqual({
      status: 200,
      body: { label: 'demo-merchant', icon: 'https://pay.example/logos/chains/solana.svg' },
    });
  });

  it('returns the transaction for the requesting wallet, with a message about the payment', async () => {
    await controller.make(id, bodyOf({ account }), request, reply);
    expect(sent).toEqual({ status: 200, body: { transaction: 'AQAB', message: 'Pay 1.005 USDC' } });
    expect(asked).toContainEqual(['walletCall', { id, payer: account }]);
  });

  it.each(['', '{', 'null', '"x"', '{}', '{"account":7}', `{"account":"${'a'.repeat(65)}"}`])(
    'rejects the body %s before it reads an order',
    async (body) => {
      await controller.make(id, Buffer.from(body), request, reply);
      expect(sent).toMatchObject({ status: 400, body: { message: expect.any(String) } });
      expect(asked).toEqual([]);
    },
  );

  it.each([{ method: 'CrossChain' }, { pay_blockchain: 'eip155:8453' }])(
    'returns no transaction for an order that is not paid directly on Solana: %j',
    async (changes) => {
      answers['getOrder'] = () => ({ ...order, ...changes });
      for (const answer of [
        controller.read(id, request, reply),
        controller.make(id, bodyOf({ account }), request, reply),
      ]) {
        await answer;
        expect(sent).toMatchObject({ status: 422, body: { message: expect.stringContaining('Solana') } });
      }
      expect(asked.map(([name]) => name)).not.toContain('walletCall');
    },
  );

  it("returns the field name of the wallet's request in a rejection", async () => {
    answers['walletCall'] = () => {
      throw DomainError.invalid([{ field: 'payer', message: 'must be an address of Solana' }]);
    };
    await controller.make(id, bodyOf({ account }), request, reply);
    const details = [{ field: 'account', message: 'must be an address of Solana' }];
    expect(sent).toMatchObject({ status: 400, body: { details } });
    expect(JSON.stringify(sent.body)).not.toContain('payer');
  });

  it('returns the message of a failure to the wallet', async () => {
    answers['walletCall'] = () => {
      throw new DomainError('ORDER_NOT_WAITING');
    };
    await controller.make(id, bodyOf({ account }), request, reply);
    expect(sent).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('not waiting'), code: 'ORDER_NOT_WAITING' },
    });
  });

  it('leaves unexpected failures to the filter of all routes', async () => {
    answers['getOrder'] = () => {
      throw new TypeError('x is not a function');
    };
    await expect(controller.read(id, request, reply)).rejects.toThrow('x is not a function');
    expect(sent.body).toBeUndefined();
  });
});
