const callTimeoutMs = 20_000;

/** @returns {Promise<any>} the reply of create-order; rejects unless its status is 200 */
export async function postOrder(gateway, secret, body) {
  const reply = await fetch(`${gateway}/api/v1/pay/create-order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  if (reply.status !== 200) throw new Error(`create-order: status ${reply.status}: ${await reply.text()}`);
  return reply.json();
}
