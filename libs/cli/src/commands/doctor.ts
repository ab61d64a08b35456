import type { CommandContext } from '../command';
import { checkDeployment } from '../doctor/check-deployment';
import { checkEnvFile } from '../doctor/check-env-file';
import type { Finding } from '../doctor/finding';
import { exitCodes, UsageError } from '../exit-codes';
import { printable } from '../output';

/** Runs the checks. @returns exit code 1 when a check fails */
export async function run({ terminal, client, session, flag, isJson }: CommandContext): Promise<number> {
  const file = flag('env-file');
  if (file === undefined && flag('app') !== undefined)
    throw new UsageError('--app needs --env-file.', 'Run: tollbridge doctor --help');
  const checks =
    file === undefined
      ? checkDeployment({ client, session })
      : checkEnvFile(file, flag('app'), terminal.loadAppConfig);
  const findings: Finding[] = [];
  for await (const finding of checks) {
    findings.push(finding);
    if (!isJson) for (const line of linesOf(finding)) terminal.out(line);
  }
  const counted = (result: Finding['result']): number =>
    findings.filter((finding) => finding.result === result).length;
  const failed = counted('fail');
  if (isJson) terminal.out(JSON.stringify(findings, null, 2));
  else terminal.out(`${counted('ok')} ok, ${counted('warn')} to look at, ${failed} failed`);
  return failed > 0 ? exitCodes.failed : exitCodes.ok;
}

function linesOf({ check, result, detail, action }: Finding): string[] {
  const line = `${result.padEnd(4)}  ${check}: ${detail}`;
  return [printable(line), ...(action ? [`      ${printable(action)}`] : [])];
}
