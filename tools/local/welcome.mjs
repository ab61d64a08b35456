/**
 * Returns the text that is shown after a successful start. Its commands contain the port of the gateway.
 * @param {string} gateway
 * @param {import('./directory.mjs').Directory} directory
 * @param {string} duration
 */
export function welcome(gateway, directory, duration) {
  const order = JSON.stringify({
    pay_blockchain: 'base',
    pay_token: 'USDC',
    settle_chain: 'base',
    settle_token: 'USDC',
    merchant_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    merchant_amount: '1000000',
    fee_receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    fee_amount: '5000',
    merchant_id: 'demo-merchant',
    payer_address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  });
  return `
  Tollbridge is up after ${duration}.

    ${gateway}/                  a first payment in the browser, guides
    ${gateway}/dashboard         what a merchant sees, with a demo merchant
    ${gateway}/docs              every route, with samples to paste
    ${gateway}/openapi.json      the same for programs
    ${gateway}/sandbox           local chains, contracts, funded accounts, the demo merchant
    ${gateway}/health/services   which services are up
    ${directory.file('logs')}

  In another terminal, in this folder (README.md and docs/guides use TOLLBRIDGE_URL too):

    $ export TOLLBRIDGE_URL=${gateway}
    $ curl -s $TOLLBRIDGE_URL/api/v1/pay/create-order -H 'content-type: application/json' -d '${order}' | node examples/pay.mjs
    $ node examples/swap.mjs
    $ node tools/pay-once.mjs

  Stop: Ctrl-C
`;
}
