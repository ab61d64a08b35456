// Reads the heights of the local chains from their nodes.

/** @type {Record<string, (url: string) => Promise<number>>} */
const heads = {
  evm: evmHead,
  tron: (url) => evmHead(`${url}/jsonrpc`),
  ton: async (url) => (await call(url, 'getMasterchainInfo', {})).last.seqno,
  // Slots without a block do not count.
  solana: (url) => call(url, 'getBlockHeight', [{ commitment: 'confirmed' }]),
  sui: async (url) => {
    const { data } = await post(url, { query: '{ checkpoint { sequenceNumber } }' });
    return Number(data.checkpoint.sequenceNumber);
  },
};

/**
 * @param {string} family @param {string} url of the node @returns {Promise<number>} the number of blocks of the chain
 */
export const blocksOf = (family, url) => heads[family](url);

async function evmHead(url) {
  return Number(await call(url, 'eth_blockNumber', []));
}

async function call(url, method, params) {
  const { result } = await post(url, { jsonrpc: '2.0', id: 1, method, params });
  if (result === undefined) throw new Error(`${method} has no result`);
  return result;
}

async function post(url, body) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return reply.json();
}
