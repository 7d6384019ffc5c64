// Adds to pages that can be read without it: the search, buttons that copy code, and the language of samples that the
// reader chose last.

const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);

function addSearch(place) {
  const hint = matchMedia('(hover: none)').matches ? 'Search' : 'Search (press /)';
  const input = make('input', {
    type: 'search',
    className: 'input',
    placeholder: hint,
    autocomplete: 'off',
  });
  input.setAttribute('aria-label', 'Search the documentation');
  const list = make('ol', { className: 'popup', hidden: true });
  const status = make('span', { className: 'visually-hidden', role: 'status' });
  place.append(input, status, list);
  place.hidden = false;

  let loading;
  const load = () =>
    (loading ??= Promise.all([
      import('./search.js'),
      fetch('/docs/search.json').then((response) => response.json()),
    ]));

  async function show() {
    const typed = input.value;
    const [{ find }, entries] = await load();
    const found = find(entries, typed);
    // The reader typed on while an earlier answer was loading.
    if (typed !== input.value) return;
    list.replaceChildren(
      ...found.map(({ href, title, place }) => {
        const link = make('a', { className: 'item', href });
        link.append(title, make('span', { textContent: place }));
        const item = make('li');
        item.append(link);
        return item;
      }),
    );
    list.hidden = found.length === 0;
    status.textContent = typed.trim() === '' ? '' : `${found.length} found`;
  }

  const links = () => [...list.querySelectorAll('a')];
  const close = () => (list.hidden = true);

  input.addEventListener('focus', load, { once: true });
  input.addEventListener('input', show);
  place.addEventListener('keydown', (event) => {
    const all = [input, ...links()];
    const at = all.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      all[(at + step + all.length) % all.length].focus();
    } else if (event.key === 'Enter' && at === 0) links()[0]?.click();
    else if (event.key === 'Escape') {
      close();
      input.focus();
    }
  });
  place.addEventListener('click', (event) => event.target.closest('a') && close());
  document.addEventListener('click', (event) => place.contains(event.target) || close());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

function addCopying(block) {
  const button = make('button', { type: 'button', className: 'button', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  const frame = make('div', { className: 'copied' });
  block.replaceWith(frame);
  frame.append(block, button);
}

/** Remembers the language of samples from page to page. */
function keepLanguage() {
  const choices = [...document.querySelectorAll('.switch input')];
  const kept = choices.find(({ id }) => id === localStorage.getItem('language'));
  if (kept) kept.checked = true;
  for (const choice of choices) {
    choice.addEventListener('change', () => localStorage.setItem('language', choice.id));
  }
}

/** Keeps a sample where it was clicked: the samples above it change their height at the same time. */
function holdPlace({ target }) {
  const sample = target.closest('.languages label')?.closest('.sample');
  if (!sample) return;
  const before = sample.getBoundingClientRect().top;
  setTimeout(() => scrollBy(0, sample.getBoundingClientRect().top - before));
}

const place = document.querySelector('#search');
if (place) addSearch(place);
if (navigator.clipboard) for (const block of document.querySelectorAll('pre')) addCopying(block);
document.addEventListener('click', holdPlace);
keepLanguage();
