// Opens the checkout of <a data-sales-checkout href="…/checkout/slug"> in a frame over the page.
// The link stays a link: without this script, or on a site that the store does not list, it leads to the checkout.

const shop = new URL(document.currentScript.src).origin;
const closeNames = { en: 'Close', id: 'Tutup' };

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-sales-checkout]');
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.origin !== shop || !link.pathname.startsWith('/checkout/')) return;
  event.preventDefault();
  show(link.href, link.textContent.trim());
});

function show(address, name) {
  const dialog = document.createElement('dialog');
  const close = document.createElement('button');
  const frame = document.createElement('iframe');
  Object.assign(dialog.style, {
    ...{ width: 'min(100%, 1040px)', height: '100%', maxWidth: 'none', maxHeight: 'none' },
    ...{ boxSizing: 'border-box', padding: '0', border: '0', overflow: 'hidden' },
  });
  Object.assign(close.style, {
    ...{ position: 'absolute', top: '4px', right: '4px', width: '44px', height: '44px' },
    ...{ font: '24px/1 sans-serif', color: 'CanvasText', background: 'Canvas' },
    ...{ border: '0', cursor: 'pointer' },
  });
  Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', border: '0' });
  dialog.setAttribute('aria-label', name);
  close.setAttribute(
    'aria-label',
    closeNames[document.documentElement.lang.slice(0, 2)] ?? 'Close',
  );
  close.textContent = '×';
  close.addEventListener('click', () => dialog.close());
  Object.assign(frame, { src: address, title: name, allow: 'clipboard-write' });
  let isShown = false;
  const hear = ({ source, origin, data }) => {
    if (source === frame.contentWindow && origin === shop && data === 'sales-checkout')
      isShown = true;
  };
  addEventListener('message', hear);
  // A refused frame is loaded too, but never says that it is shown.
  const leave = () => isShown || !dialog.open || location.assign(address);
  frame.addEventListener('load', () => setTimeout(leave, 1000));
  dialog.addEventListener('close', () => {
    removeEventListener('message', hear);
    dialog.remove();
  });
  dialog.append(frame, close);
  document.body.append(dialog);
  dialog.showModal();
}
