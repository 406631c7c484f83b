import { getPrice } from './catalog.ts';
import { brand, cardOptions } from './checkout-page.ts';
import { day, escapeHtml, layout, money, safeHref, titleOf } from './page-layout.ts';
import { type CustomerState, hasEnded, type Invoice, type Portal, type Subscription, totalOf } from './state.ts';

/** Renders the customer portal: the subscription, the card, the invoices. */
export function portalPage(state: CustomerState, portal: Portal, now: number): string {
  const subscription = state.subscriptions.findLast((one) => !hasEnded(one));
  const action = `/dev/processor/portal/${portal.id}`;
  return layout(
    'Billing',
    `<main>
<div class="row" style="margin-bottom:28px">${brand}${portal.returnUrl ? `<a href="${safeHref(portal.returnUrl)}">Back to Agent Chat</a>` : ''}</div>
<h1>Billing</h1>
<p class="soft">${escapeHtml(state.email)} · today is ${day(now)}</p>
<section class="card"><h2>Subscription</h2>${subscription ? subscriptionPart(state, subscription, action) : '<p class="soft" style="margin:0">No paid plan.</p>'}</section>
<section class="card"><h2>Payment method</h2>${cardPart(state, action)}</section>
<section class="card"><h2>Invoices</h2>${invoicesPart(state.invoices)}</section>
</main>`,
  );
}

function subscriptionPart(state: CustomerState, subscription: Subscription, action: string): string {
  const { plan, interval, amount } = getPrice(subscription.priceId);
  const ends = subscription.cancelAtPeriodEnd;
  return `<div class="row"><div><b>${titleOf(plan)}</b> ${badge(subscription)}<br>${money(amount)} per ${interval}<br><span class="soft">${outlook(state, subscription)}</span></div>
<form method="post" action="${action}/${ends ? 'resume' : 'cancel'}"><button class="line">${ends ? 'Keep the subscription' : 'Cancel the subscription'}</button></form></div>`;
}

function badge({ cancelAtPeriodEnd, status }: Subscription): string {
  if (cancelAtPeriodEnd) return '<span class="badge off">Ends soon</span>';
  if (status === 'past_due') return '<span class="badge bad">Payment overdue</span>';
  return '<span class="badge">Active</span>';
}

/** Describes what happens at the end of the period. */
function outlook({ schedules }: CustomerState, { cancelAtPeriodEnd, periodEnd, scheduleId }: Subscription): string {
  const until = day(periodEnd);
  if (cancelAtPeriodEnd) return `Ends on ${until}`;
  const schedule = schedules.find(({ id }) => id === scheduleId);
  const next = schedule?.phases.find(({ start }) => start >= periodEnd);
  return next ? `Changes to ${titleOf(getPrice(next.priceId).plan)} on ${until}` : `Renews on ${until}`;
}

const cardPart = (
  state: CustomerState,
  action: string,
): string => `<p style="margin-top:0">${state.card ? `Card ending in <b>${state.card.last4}</b>` : '<span class="soft">None yet.</span>'}</p>
<details><summary>${state.card ? 'Replace' : 'Add'} the card</summary><form method="post" action="${action}/card">${cardOptions}<br><button>Save</button></form></details>`;

function invoicesPart(invoices: readonly Invoice[]): string {
  if (invoices.length === 0) return '<p class="soft" style="margin:0">None yet.</p>';
  const rows = invoices.toReversed().map((invoice) => {
    const bad = invoice.status === 'paid' ? '' : ' bad';
    return `<tr><td>${day(invoice.created)}</td><td>${invoice.number}</td><td><span class="badge${bad}">${titleOf(invoice.status)}</span></td><td class="end">${money(totalOf(invoice))}</td><td class="end"><a href="/dev/processor/invoices/${invoice.id}/pdf">PDF</a></td></tr>`;
  });
  return `<div class="scroll"><table><tr><th>Date</th><th>Number</th><th>Status</th><th class="end">Amount</th><th></th></tr>${rows.join('')}</table></div>`;
}
