import { getBytes } from 'ethers';
import { sandboxTronUsdtCreationCode } from '../generated/sandbox-tron-usdt';
import { tollbridgePayCreationCode } from '../generated/tollbridge-pay';

// TollbridgePay runs on Tron with the bytecode of the EVM chains. The lists classify opcodes by their behaviour on the
// TVM, from OperationRegistry and EnergyCost of java-tron 4.8.

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Arithmetic, memory, storage, PUSH0 to PUSH32, DUP, SWAP, LOG and REVERT behave as on the EVM. */
const equalOnTvm = new Set([
  ...range(0x00, 0x0b), // STOP, arithmetic
  ...range(0x10, 0x1d), // comparison, bits, shifts
  0x20, // KECCAK256
  ...range(0x30, 0x39), // ADDRESS, BALANCE, CALLER, CALLVALUE, calldata, code
  ...range(0x3b, 0x3f), // code of others, return data
  0x42, // TIMESTAMP: in seconds, as on the EVM
  ...range(0x50, 0x59), // POP, memory, storage, jumps, PC, MSIZE
  0x5a, // GAS: energy
  0x5b, // JUMPDEST
  ...range(0x5f, 0x9f), // PUSH0 (parameter getAllowTvmShangHai), PUSH, DUP, SWAP
  ...range(0xa0, 0xa4), // LOG
  0xf1, // CALL
  0xf3, // RETURN
  0xfa, // STATICCALL
  0xfd, // REVERT
  0xfe, // INVALID
]);
/** Opcodes that require the parameter getAllowTvmCancun, which the deploy command verifies. */
const cancun = new Map([
  [0x5c, 'TLOAD'],
  [0x5d, 'TSTORE'],
  [0x5e, 'MCOPY'],
]);

/**
 * Returns the opcodes of a code, without the metadata that solc appends. In creation code, the runtime code follows
 * INVALID.
 */
function opcodesOf(code: Uint8Array): Set<number> {
  const metadataBytes = code.at(-2)! * 256 + code.at(-1)! + 2;
  const opcodes = new Set<number>();
  for (let at = 0; at < code.length - metadataBytes; at++) {
    const opcode = code[at]!;
    opcodes.add(opcode);
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f;
  }
  return opcodes;
}

const foreign = (code: string) =>
  [...opcodesOf(getBytes(code))].filter((opcode) => !equalOnTvm.has(opcode) && !cancun.has(opcode));

describe('Bytecode for the TVM', () => {
  it('uses only opcodes that behave as on the EVM in TollbridgePay', () => {
    expect(foreign(tollbridgePayCreationCode)).toEqual([]);
  });

  it('requires opcodes of Cancun in TollbridgePay, so the deploy command must verify the network', () => {
    const used = [...opcodesOf(getBytes(tollbridgePayCreationCode))].flatMap((it) => cancun.get(it) ?? []);

    expect(used.sort()).toEqual(['TLOAD', 'TSTORE']);
  });

  it('uses only opcodes that behave as on the EVM in the sandbox token', () => {
    expect(foreign(sandboxTronUsdtCreationCode)).toEqual([]);
  });

  it.each<[string, string]>([
    ['GASPRICE', '3a'],
    ['COINBASE', '41'],
    ['PREVRANDAO', '44'],
    ['CHAINID', '46'],
    ['CREATE2', 'f5'],
    ['SELFDESTRUCT', 'ff'],
    ['CALLTOKENVALUE', 'd2'],
  ])('recognises %s', (_, opcode) => {
    expect(foreign(`0x60ff${opcode}000000`)).toEqual([Number(`0x${opcode}`)]);
  });
});
