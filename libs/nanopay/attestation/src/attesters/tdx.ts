import type { TdxCollateral } from '../verify/collateral';
import { readTdxCollateral } from '../verify/collateral';
import { replayEvents } from '../verify/event-log';
import { readTdxQuote, type TdReport } from '../verify/quote-v4';
import { isAcceptable, type AcceptedTcb } from '../verify/tcb-status';
import { verifyTdxQuote } from '../verify/tdx-quote';
import { AttestationUnavailable, type Attester, type Evidence } from './attester';
import { DstackAgent, type AgentInfo, type AgentQuote } from './dstack-agent';

export interface TdxAttesterOptions {
  /** A socket path or a URL. By default the agent's usual socket. */
  endpoint?: string;
  /** Declares that the agent is a simulator, like `DSTACK_SIMULATOR_ENDPOINT`. */
  isSimulator?: boolean;
  environment?: NodeJS.ProcessEnv;
  /** Loads the vendor's collateral for this platform. Without collateral no document is attested. */
  collateral?: () => Promise<unknown>;
  acceptedTcb?: AcceptedTcb;
  /** Derivation path of the enclave's key. */
  keyPath?: string;
  now?: () => Date;
  timeoutMs?: number;
  /** Replaces the verification of quotes in tests, which run without hardware. */
  verifyQuote?: typeof verifyTdxQuote;
}

// The agent runs on this machine: a reply after more than five seconds is not expected.
const defaultTimeoutMs = 5_000;
const keyPurpose = 'ton-nanopay';

const ofSimulator =
  'This enclave runs on a simulator: nothing about it is attested, and its operator can read its key.';
const withoutCollateral = 'The quote was not verified here: the enclave has no collateral of the vendor.';

/** Attester for Intel TDX through the dstack agent. Any sign of a simulator makes the mode `tdx-simulator`. */
export async function tdxAttester(options: TdxAttesterOptions = {}): Promise<Attester> {
  const {
    environment = process.env,
    keyPath = 'ton-nanopay/receipts',
    timeoutMs = defaultTimeoutMs,
  } = options;
  const endpoint = options.endpoint ?? environment['DSTACK_SIMULATOR_ENDPOINT'];
  const agent = new DstackAgent(endpoint || undefined, timeoutMs);
  const info = await agent.info();
  const isSimulator =
    options.isSimulator === true || Boolean(environment['DSTACK_SIMULATOR_ENDPOINT']) || info.isSimulator;
  return {
    mode: isSimulator ? 'tdx-simulator' : 'tdx',
    keySeed: () => agent.key(keyPath, keyPurpose),
    quote: async (reportData) => {
      const quoted = await agent.quote(reportData);
      return isSimulator
        ? simulated(quoted, info, reportData)
        : await attested(quoted, info, { reportData, options });
    },
  };
}

/** Omits a recorded quote for other report data, because it would look like a quote of hardware. */
function simulated(quoted: AgentQuote, info: AgentInfo, reportData: Buffer): Evidence {
  try {
    return { ...evidence(quoted, info, reportData), attested: false, warning: ofSimulator };
  } catch {
    return {
      attested: false,
      quote: null,
      eventLog: [],
      measurements: null,
      warning: ofSimulator,
      appId: info.appId,
      composeHash: info.composeHash,
    };
  }
}

async function attested(
  quoted: AgentQuote,
  info: AgentInfo,
  { reportData, options }: { reportData: Buffer; options: TdxAttesterOptions },
): Promise<Evidence> {
  const made = evidence(quoted, info, reportData);
  const collateral = await collateralOf(options);
  if (!collateral) return { ...made, attested: false, warning: withoutCollateral };
  const { verifyQuote = verifyTdxQuote, now = () => new Date() } = options;
  const verdict = await verifyQuote(quoted.quote, collateral, now());
  if (!verdict.ok)
    return { ...made, attested: false, warning: `The quote does not verify: ${verdict.reason}.` };
  if (!isAcceptable(verdict, options.acceptedTcb))
    return { ...made, collateral, attested: false, warning: `The platform is ${verdict.tcbStatus}.` };
  return { ...made, collateral, attested: true };
}

/** @throws AttestationUnavailable if the quote is not for this report data and event log */
function evidence(
  { quote, eventLog }: AgentQuote,
  info: AgentInfo,
  reportData: Buffer,
): Omit<Evidence, 'attested'> {
  const report = reportOf(quote);
  const isOurs =
    report?.reportData.equals(reportData) && replayEvents(eventLog).toString('hex') === report.rtmr3;
  if (!report || !isOurs)
    throw new AttestationUnavailable('agent_unavailable', 'the agent has quoted something else', 1_000);
  const { mrtd, rtmr0, rtmr1, rtmr2, rtmr3 } = report;
  return {
    quote: quote.toString('hex'),
    eventLog,
    measurements: { mrtd, rtmr0, rtmr1, rtmr2, rtmr3 },
    appId: info.appId,
    composeHash: info.composeHash,
  };
}

function reportOf(quote: Buffer): TdReport | undefined {
  try {
    return readTdxQuote(quote).report;
  } catch {
    return undefined;
  }
}

/**
 * Returns undefined if the collateral cannot be loaded or parsed. Clients with their own collateral can still verify
 * the quote.
 */
async function collateralOf({ collateral }: TdxAttesterOptions): Promise<TdxCollateral | undefined> {
  if (!collateral) return undefined;
  try {
    return readTdxCollateral(await collateral());
  } catch {
    return undefined;
  }
}
