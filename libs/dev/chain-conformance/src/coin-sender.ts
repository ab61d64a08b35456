/** ABI of the function of `coinSenderCode`. */
export const coinSenderAbi = [
  {
    type: 'function',
    name: 'send',
    inputs: [{ name: 'receiver', type: 'address' }],
    outputs: [],
    stateMutability: 'payable',
  },
] as const;

/** Deploys a contract wallet without an owner: `send(address)` sends all its coins to the receiver. */
export const coinSenderCode = [
  '0x6a', // PUSH11, the code of the contract:
  '5f5f5f5f47600435', // four zeros, SELFBALANCE, the receiver in the call data
  '5af100', // GAS, CALL, STOP
  '5f52600b6015f3', // returns the code of the contract
].join('');
