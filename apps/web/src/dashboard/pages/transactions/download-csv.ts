import { toApiError } from '../../api/api-error';
import { dashboardHeaders } from '../../api/client';

/** Saves the transactions that match the filters. A plain link could not send the header that the cookie requires. */
export async function downloadCsv(filters: Record<string, string>): Promise<void> {
  const reply = await fetch(`/api/transactions/export?${new URLSearchParams(filters)}`, {
    headers: dashboardHeaders,
  });
  if (!reply.ok) throw toApiError(reply.status, await reply.json(), reply.headers.get('x-request-id'));
  const url = URL.createObjectURL(await reply.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = 'transactions.csv';
  link.click();
  URL.revokeObjectURL(url);
}
