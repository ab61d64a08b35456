import type { PublicPayLink, RecordPaymentReply } from '@tollbridge/contracts';
import { apiMessage } from '../parts/api-message';
import { html, webLink, type Html } from '../parts/html';
import type { Page } from '../parts/layout';
import { notice } from '../parts/notice';
import { linkAmount, submissionForm } from '../paylinks/paylink-page';
import { fact } from '../parts/summary';
import type { Language } from '../texts/language';

export interface Submission {
  txHash: string;
  reply: RecordPaymentReply;
}

/** The page with the outcome of a transaction that a payer submitted. */
export function submissionPage(
  id: string,
  link: PublicPayLink | undefined,
  { txHash, reply }: Submission,
  language: Language,
): Page {
  const { text } = language;
  const title = text(titleOf(reply));
  const isUnverifiable = reply.status === 'unverifiable';
  const canRepeat = !reply.success && reply.verified === false && !isUnverifiable;
  const continueTo = reply.success ? webLink(link?.successUrl) : null;
  const body = html`<h1>${title}</h1>
    ${link && summaryOf(link, language)} ${outcomeOf(reply, language)}
    <dl>${fact(text('transaction'), html`<code dir="ltr">${txHash}</code>`)}</dl>
    ${continueTo !== null && html`<p><a class="button" href="${continueTo}" rel="noreferrer" target="_top" data-return="completed">${text('continue')}</a></p>`}
    ${
      canRepeat &&
      html`<h2>${text('checkAgain')}</h2>
        ${submissionForm(id, language, txHash)}`
    }`;
  return { title, body, language, color: link?.storeColor ?? null };
}

function summaryOf(link: PublicPayLink, language: Language): Html {
  const { name, storeName: shop } = link;
  const amount = linkAmount(link, language);
  return html`<p class="description">
    ${
      shop === null
        ? language.rich('linkSummary', { name, amount })
        : language.rich('linkSummaryTo', { name, amount, shop })
    }
  </p>`;
}

function outcomeOf({ success, verified, status, error }: RecordPaymentReply, { text }: Language): Html {
  if (success) return notice('good', text(verified ? 'networkConfirmed' : 'merchantConfirmed'));
  if (status === 'pending') return notice('wait', text('submittedPending'));
  if (status === 'unverifiable') return notice('wait', text('submittedUnverifiable'));
  if (status === 'partial')
    return notice('wait', text('submittedPartial'), error !== undefined && apiMessage(error));
  return notice('bad', text('submittedRejected'), error !== undefined && apiMessage(error));
}

function titleOf({ success, verified, status }: RecordPaymentReply) {
  if (success) return 'thankYou';
  if (status === 'pending') return 'waitingForNetwork';
  if (status === 'unverifiable') return 'submittedForReview';
  return verified || status === 'partial' ? 'paidNotCounted' : 'doesNotPayLink';
}
