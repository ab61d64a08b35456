import { AbiCoder, Interface } from 'ethers';

export const factoryAbi = new Interface([
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
]);

export const poolAbi = new Interface(['function liquidity() view returns (uint128)']);

export const quoterAbi = new Interface([
  'function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, ' +
    'uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)',
]);

export const routerAbi = new Interface([
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
  'function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params) ' +
    'payable returns (uint256)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function sweepToken(address token, uint256 amountMinimum, address recipient) payable',
  'function wrapETH(uint256 value) payable',
  'function pull(address token, uint256 value) payable',
  'function refundETH() payable',
]);

export const wrappedCoinAbi = new Interface([
  'function deposit() payable',
  'function withdraw(uint256 amount)',
]);

/** Returns undefined for invalid bytes, for example the reply of an address without a contract. */
export function decodeResult(abi: Interface, name: string, bytes: string): unknown[] | undefined {
  try {
    return AbiCoder.defaultAbiCoder().decode(abi.getFunction(name)!.outputs, bytes).toArray();
  } catch {
    return undefined;
  }
}
