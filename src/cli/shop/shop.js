// Improves the pages of the shop, which also work without it.

/** Tells the page around the checkout that its frame was not refused. */
if (parent !== window) parent.postMessage('sales-checkout', '*');

/** Shows the buttons that copy a text, and makes them work. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  const said = button.textContent;
  const copy = async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
    setTimeout(() => (button.textContent = said), 2000);
  };
  button.addEventListener('click', () => void copy());
}

/** The page's policy for scripts accepts HTML only from here. */
const policy = globalThis.trustedTypes?.createPolicy('shop', { createHTML: (text) => text });

const parsed = (text) =>
  new DOMParser().parseFromString(policy?.createHTML(text) ?? text, 'text/html');

const form = document.querySelector('form[data-live-form]');

/** The number of requests for the total. */
let asked = 0;

/** Shows the total of what was chosen, and the ways to ship and to pay it. */
async function price() {
  const request = ++asked;
  const body = new FormData(form);
  body.set('action', 'price');
  // `form.action` would be the buttons of that name.
  const answer = await fetch(form.getAttribute('action'), { method: 'POST', body });
  const text = await answer.text();
  // An earlier choice may be answered after a later one.
  if (!answer.ok || request !== asked) return;
  const page = parsed(text);
  for (const id of ['summary', 'shipping', 'ways']) {
    const shown = document.getElementById(id);
    const made = page.getElementById(id);
    if (!shown || !made || shown.contains(document.activeElement)) continue;
    shown.replaceWith(document.adoptNode(made));
  }
}

form?.addEventListener('change', ({ target }) => {
  const choices = ['variant', 'quantity', 'coupon', 'access_code', 'shipping', 'country', 'pay'];
  if (choices.includes(target.name)) void price();
});

/** Shows when an order that waits for its payment has moved on. */
const order = document.querySelector('#order[data-status]');
if (order?.querySelector('[data-waits]')) {
  const look = async (address = location.pathname, init) => {
    const answer = await fetch(address, init);
    const now = parsed(await answer.text()).querySelector('#order')?.dataset.status;
    if (now && now !== order.dataset.status) location.replace(location.pathname);
  };
  // The shop asks the provider about the payment of a buyer who comes back.
  const returned = order.querySelector('form[data-returned]')?.action;
  if (returned) void look(returned, { method: 'POST', body: new URLSearchParams({ look: '1' }) });
  setInterval(() => document.hidden || void look(), 15_000);
}
