/**
 * What stands on the screen when everything is up.
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

    ${gateway}/docs           every route, to read
    ${gateway}/openapi.json   the same for programs
    ${gateway}/sandbox        local chains, contracts, funded accounts, the demo merchant
    ${gateway}/health/ready   whether it is well
    ${directory.file('logs')}

  Create an order:

    curl -s ${gateway}/api/v1/pay/create-order -H 'content-type: application/json' -d '${order}'

  Pay another one: node tools/pay-once.mjs     Swap across chains: node examples/swap.mjs     Stop: Ctrl-C
`;
}
