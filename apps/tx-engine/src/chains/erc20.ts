import { Interface } from 'ethers';

/** The token functions that swaps call. */
export const erc20 = new Interface([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
]);

/** keccak256 of `Transfer(address,address,uint256)`. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** keccak256 of `Deposit(address,uint256)`: wrapping of native coins. Most wrapped coins emit no Transfer for it. */
export const depositTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';

/** keccak256 of `Withdrawal(address,uint256)`: unwrapping into native coins. */
export const withdrawalTopic = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65';
