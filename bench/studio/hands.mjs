// What a reader does and sees. These functions run in the page: `browser.mjs` sends their text.

export function go(hash) {
  location.hash = `#/${hash}`;
}

export function click(selector, place = 0) {
  const found = document.querySelectorAll(selector)[place];
  // Lines of the graph are SVG, which has no click().
  found.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
}

export function press(key) {
  dispatchEvent(new KeyboardEvent('keydown', { key }));
}

/** Gives a control a value, and says so by `event`. */
export function set(control, value, event) {
  control.value = String(value);
  control.dispatchEvent(new Event(event, { bubbles: true }));
}

/** Uses the control with this label: types, chooses, or ticks. */
export function use(label, value) {
  const field = [...document.querySelectorAll('.controls label')].find((one) => one.textContent.trim().startsWith(label));
  const control = field.querySelector('select, input');
  if (control.type === 'checkbox') control.click();
  else set(control, value, control.type === 'search' ? 'input' : 'change');
}

/** Begins to save a file; it has begun when the first bytes are there. */
export async function save(file) {
  const answer = await fetch(`/api/export/${file}`);
  const reader = answer.body.getReader();
  await reader.read();
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  window.saved = (window.saved ?? 0) + 1;
  await reader.cancel();
}

export function saved() {
  return `${window.saved ?? 0} files`;
}

export function text(selector) {
  return document.querySelector(selector)?.textContent ?? '';
}

export function count(selector) {
  return document.querySelectorAll(selector).length;
}

/** The list of items: how many there are, and the first. */
export function list() {
  return text('main p[role=status]') + text('.items li');
}

/** What the model of the view says, once it has been asked for and is there. */
export function model() {
  const came = performance.getEntriesByType('resource').some((entry) => entry.name.includes('/api/report'));
  const waits = document.querySelector('main').getAttribute('aria-busy') === 'true';
  return came && !waits ? text('.lead b') + text('.notice') + location.hash : '';
}
