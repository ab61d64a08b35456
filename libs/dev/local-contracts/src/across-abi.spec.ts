import { Interface } from 'ethers';
import { multicallInstructions, spokePoolAbi, spokePoolPeripheryAbi } from './across-abi';
import { artifact, type ContractName } from './artifacts';

describe('Interfaces of Across', () => {
  it.each<[ContractName, string[]]>([
    ['Ethereum_SpokePool', spokePoolAbi],
    ['SpokePoolPeriphery', spokePoolPeripheryAbi],
  ])('match the artifact of %s', (name, lines) => {
    const published = new Interface(artifact(name).abi).fragments.map((fragment) => fragment.format('full'));
    const declared = new Interface(lines).fragments.map((fragment) => fragment.format('full'));
    expect(declared.filter((fragment) => !published.includes(fragment))).toEqual([]);
  });

  it('encode the message of a deposit for the decoder of the handler', () => {
    const [declared] = new Interface([`function read(${multicallInstructions} it)`]).fragments;
    expect(declared!.format()).toBe('read(((address,bytes,uint256)[],address))');
  });
});
