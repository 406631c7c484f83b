import { getPrice } from './catalog.ts';
import { escapeHtml, layout, money, titleOf } from './page-layout.ts';
import type { Checkout, CustomerState } from './state.ts';

const features: Record<string, readonly string[]> = {
  plus: ['500 messages a day', '15 agents', '50 knowledge documents'],
  pro: ['2,000 messages a day', '50 agents', '200 knowledge documents'],
  creator: ['Unlimited messages', 'Unlimited agents', '1,000 knowledge documents'],
};

/** Returns the success URL, with the session's id if it has the placeholder. */
export const successUrlOf = ({ successUrl, id }: Checkout): string =>
  successUrl.replaceAll('{CHECKOUT_SESSION_ID}', id);

export const cancelUrlOf = ({ cancelUrl, id }: Checkout): string => cancelUrl.replaceAll('{CHECKOUT_SESSION_ID}', id);

/** Renders the choice of a test card, as radio buttons named `card`. */
export const cardOptions = `<fieldset>
<legend>Card</legend>
<label class="option"><input type="radio" name="card" value="good" checked><span><b>4242 4242 4242 4242</b><span class="soft">Always pays</span></span></label>
<label class="option"><input type="radio" name="card" value="declined"><span><b>4000 0000 0000 0341</b><span class="soft">Pays now, is declined from the next payment on</span></span></label>
<label class="option"><input type="radio" name="card" value="refused"><span><b>4000 0000 0000 0002</b><span class="soft">Is declined at once</span></span></label>
</fieldset>`;

export const brand = '<div class="brand"><i></i>Agent Chat</div>';

/** Renders the hosted payment page. `problem` is the reason why the last attempt failed. */
export function checkoutPage(state: CustomerState, checkout: Checkout, problem: string | null): string {
  const { plan, interval, amount } = getPrice(checkout.priceId);
  const name = titleOf(plan);
  const action = `/dev/processor/checkout/${checkout.id}`;
  return layout(
    `Subscribe to ${name}`,
    `<main class="pair">
<div>
${brand}
<h1>Subscribe to ${name}</h1>
<p class="price">${money(amount)} <small>per ${interval}</small></p>
${interval === 'year' ? `<p class="soft">That is ${money(Math.round(amount / 12))} a month: two months are free.</p>` : ''}
<ul class="plain">${[...(features[plan] ?? []), 'Priority support', 'Advanced analytics'].map((text) => `<li>${text}</li>`).join('')}</ul>
</div>
<div class="card">
${problem ? `<p class="alert" role="alert">${escapeHtml(problem)}</p>` : ''}
<h2>Pay by card</h2>
<form method="post" action="${action}">
<dl><dt>E-mail</dt><dd>${escapeHtml(state.email)}</dd><dt>${name}, one ${interval}</dt><dd>${money(amount)}</dd><dt class="total">Due today</dt><dd class="total">${money(amount)}</dd></dl>
<br>
${cardOptions}
<button class="wide">Pay ${money(amount)}</button>
</form>
<form method="post" action="${action}/cancel" style="text-align:center;margin-top:8px"><button class="quiet">Cancel and go back</button></form>
<p class="soft" style="font-size:14px;margin:8px 0 0">It renews every ${interval} until you cancel, which takes effect when the ${interval} ends.</p>
</div>
</main>`,
  );
}
