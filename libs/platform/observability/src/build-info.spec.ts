import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildInfo } from './build-info';
import { Metrics } from './metrics';

const { version } = JSON.parse(readFileSync(join(__dirname, '../../../../package.json'), 'utf8')) as {
  version: string;
};

describe('buildInfo', () => {
  it('returns the version of the product, the commit of the image and the version of Node', () => {
    const commit = '21910b4f00112233445566778899aabbccddeeff';
    expect(buildInfo({ TOLLBRIDGE_COMMIT: commit })).toEqual({
      version,
      commit,
      node: process.versions.node,
    });
  });

  it.each([[undefined], ['main'], ['abc"} 1\n'], ['']])('returns "unknown" for the commit %j', (commit) => {
    expect(buildInfo(commit === undefined ? {} : { TOLLBRIDGE_COMMIT: commit }).commit).toBe('unknown');
  });

  it('appears in the metrics of every app', async () => {
    const { text } = await new Metrics('shop').exposition();
    expect(text).toMatch(/^tollbridge_build_info\{.*version="\d+\.\d+\.\d+".*\} 1$/m);
  });
});
