import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataSlice, keccak256 } from 'ethers';
import { multicall3CreationCode } from './generated/multicall3';
import { permit2RuntimeCode } from './generated/permit2';

// This library contains copies, because both packages are large and the sandbox needs only a few kilobytes of them.
describe('Third-party code in this library', () => {
  it('equals the creation code of Multicall3 that viem publishes', () => {
    const path = join(dirname(require.resolve('viem/package.json')), '_cjs/constants/contracts.js');
    const [, code] = /multicall3Bytecode = '(0x[0-9a-f]+)'/.exec(readFileSync(path, 'utf8')) ?? [];
    expect(multicall3CreationCode).toBe(code);
  });

  it('equals the runtime code of Permit2 that Uniswap publishes and Ethereum has', () => {
    const path = require.resolve('@uniswap/v4-periphery/foundry-out/DeployPermit2.sol/DeployPermit2.json');
    const { deployedBytecode } = JSON.parse(readFileSync(path, 'utf8')) as {
      deployedBytecode: { object: string };
    };
    // The package contains the code only inside a script that deploys it, at this offset and with this length.
    const [start, length] = [0x1e4, 0x23c0];
    expect(permit2RuntimeCode).toBe(dataSlice(deployedBytecode.object, start, start + length));
    expect(keccak256(permit2RuntimeCode)).toBe(
      '0xa1ad0529565c25202190d4ae7f75d4ca08dc432cc760544ee7d0313b68e82ecd',
    );
  });
});
