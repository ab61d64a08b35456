// Stores the API and event documents of this commit as the contract of a release: node tools/release-contract.mjs 0.2.0
import { execFileSync } from 'node:child_process';
import { cutRelease } from './contract/releases.mjs';

const [version = ''] = process.argv.slice(2);
if (/^\d+\.\d+\.\d+$/.test(version)) {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  cutRelease(version, commit);
  console.log(`deploy/releases/${version} has the contract of ${commit}. Commit deploy/releases.`);
} else {
  console.error('Give the version of the release: node tools/release-contract.mjs 0.2.0');
  process.exitCode = 1;
}
