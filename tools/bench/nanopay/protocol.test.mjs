import assert from 'node:assert/strict';
import { sign, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { buyerOf, makeBuyers } from './buyers.mjs';
import { digestOfTerms, linkNonce, resourceHash } from './payment-digest.mjs';
import { prepareNanopayRequests } from './prepared-payments.mjs';

const raw = (byte) => `0:${byte.repeat(32)}`;
const buyer = buyerOf(Buffer.from(Array.from({ length: 32 }, (_, index) => index)));

test('a wallet is derived from its key as the protocol defines', () => {
  assert.equal(buyer.publicKey, '03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8');
  assert.equal(buyer.address, '0:f2801419aaa1b3704a0d50b5888dccb5511ed6e3191b99d144a04ea9ea390c52');
});

test('a payment has the digest and the signature of the protocol', () => {
  const url = 'https://api.example.com/premium-data';
  const terms = { network: 'ton-mainnet', asset: 'USDT', payTo: raw('22'), verifyingContract: raw('11') };
  const digest = digestOfTerms({ ...terms, method: 'GET', url })({
    from: buyer.address,
    amount: '1000',
    validAfter: '1800000000',
    validBefore: '1800000060',
    nonce: '00112233445566778899aabbccddeeff'.repeat(2),
  });
  assert.equal(
    resourceHash('GET', url).toString('hex'),
    'dee5c9e735c91c824319ee51646dbd6e20050a7e118614cc7234c3029fc72337',
  );
  assert.equal(digest.toString('hex'), '456f48c96f173caf719f0bcc188dde5f1c97d578ff8c7bd40a43ae591cb7deca');
  assert.equal(
    sign(null, digest, buyer.privateKey).toString('hex'),
    '88c3e4ffe0be197ea6563e867dcecec312bafccfb0c42998f2146fc5e8fbe494f505ecb87a3957aecb2eb5893f00d8198a87a3509873e4d2657d3ed503d95c0b',
  );
});

test('the payment of a link has the nonce of the protocol', () => {
  const grant = Buffer.from('6a38942b321c4c5b2e2ba22238719cb3c15d69d9021f2d2960e175995050de22', 'hex');
  assert.equal(
    linkNonce(grant, 3).toString('hex'),
    '15667822a80257ee2aee62880b23a063efbd2295081464b02c37d415f46bc556',
  );
});

test('prepared payments contain the terms, are signed by their payers, and have unique nonces', async () => {
  const extra = { name: 'TonNanoPay', version: '1', verifyingContract: raw('11') };
  const accepted = {
    scheme: 'ton-nanopay',
    network: 'ton-mainnet',
    amount: '1000',
    asset: 'USDT',
    payTo: raw('22'),
    maxTimeoutSeconds: 60,
    extra,
  };
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}${request.url}`;
    const required = { x402Version: 2, resource: { url }, accepts: [{ scheme: 'exact' }, accepted] };
    const header = Buffer.from(JSON.stringify(required)).toString('base64');
    response.writeHead(402, { 'payment-required': header }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const buyers = makeBuyers(3);
  const requests = await prepareNanopayRequests(7, { url, buyers });
  server.close();
  const digestOf = digestOfTerms({
    network: 'ton-mainnet',
    asset: 'USDT',
    payTo: raw('22'),
    verifyingContract: raw('11'),
    method: 'GET',
    url: `${url}/paid`,
  });
  const nonces = requests.map(({ path, headers }, index) => {
    assert.equal(path, '/paid');
    const text = Buffer.from(headers['payment-signature'], 'base64').toString();
    const { x402Version, payload, resource, accepted: echoed } = JSON.parse(text);
    assert.equal(x402Version, 2);
    assert.deepEqual(echoed, accepted);
    assert.equal(resource.url, `${url}/paid`);
    const payer = buyers[index % 3];
    const { authorization, signature } = payload;
    assert.equal(authorization.from, payer.address);
    assert.equal(Number(authorization.validBefore) - Number(authorization.validAfter), 60);
    assert.ok(verify(null, digestOf(authorization), payer.verifyKey, Buffer.from(signature, 'base64')));
    return authorization.nonce;
  });
  assert.equal(new Set(nonces).size, 7);
});
