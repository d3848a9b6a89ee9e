// Many clients at once, each with one request under way at any time and no pause between; one moves the slider every other second.

import { Agent, request } from 'node:http';
import { memory } from './memory.mjs';

const LONGEST = 60_000;

/** Random numbers of one client, the same in each run. */
const drawn = (seed) => () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32);

/** What a reader asks for: its kind, and the path. */
function reader({ items, sources }, random) {
  const below = (n) => Math.floor(random() * n);
  const word = () => ['prize', 'winter', 'river', 'loan', 'signal', 'money'][below(6)];
  const asked = [
    ['page', () => ['/', '/app.js', '/app.css'][below(3)]],
    ['report', () => '/api/report'],
    ['page of items', () => `/api/items?page=${below(items / 50)}`],
    ['items by confidence', () => `/api/items?high=0.${55 + below(40)}&sort=unsure`],
    ['items in conflict', () => `/api/items?disputed=true&page=${below(100)}`],
    ['items by source', () => `/api/items?source=${below(sources)}&against=true`],
    ['search', () => `/api/items?q=${word()}+${word()}`],
    ['item', () => `/api/item/${below(items)}`],
    ['item', () => `/api/item/${below(items)}`],
    ['source', () => `/api/source/${below(sources)}`],
    ['pair', () => { const a = below(sources); return `/api/pair?a=${a}&b=${(a + 1 + below(sources - 1)) % sources}`; }],
    ['compare', () => `/api/compare?with=${['majority', 'independent'][below(2)]}`],
    ['state of labelling', () => '/api/label'],
  ];
  return () => { const [kind, path] = asked[below(asked.length)]; return [kind, path()]; };
}

/** One moves the slider, one saves everything, one labels, the others read. */
const slider = (random) => () => ['refit', `/api/report?share=${(0.02 * Math.floor(50 * random())).toFixed(2)}`];
const saver = (random) => () => ['export', `/api/export/${['labels.csv', 'structure.json', 'model.json', 'report.html'][Math.floor(4 * random())]}`];

export async function load(studio, { clients, seconds, items, sources }) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const cookie = await signIn(studio);
  const [kinds, errors] = [new Map(), []];
  const send = async (kind, path, body) => {
    const began = performance.now();
    const answer = await ask(studio, agent, cookie, path, body);
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind).push(performance.now() - began);
    if (answer.problem) errors.push(`${path}: ${answer.problem}`);
    return answer;
  };
  const end = Date.now() + 1000 * seconds;
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const reads = async (next, rest = 0) => { while (Date.now() < end) { await send(...next()); if (rest) await pause(rest); } };
  const labels = async () => {
    while (Date.now() < end) {
      const state = await send('state of labelling', '/api/label');
      await send('answer', '/api/label', { item: state.json()?.next?.item, class: 1 });
    }
  };
  const before = memory(studio.pid);
  let most = before;
  const clock = setInterval(() => (most = Math.max(most, memory(studio.pid))), 100);
  const special = [reads(slider(drawn(1)), 2000), reads(saver(drawn(2))), labels()];
  const readers = Array.from({ length: clients - special.length }, (_, i) => reads(reader({ items, sources }, drawn(100 + 7919 * i))));
  await Promise.all([...special, ...readers]);
  await pause(3000);
  clearInterval(clock);
  agent.destroy();
  return { kinds: [...kinds].sort(), errors, all: [...kinds.values()].flat(), resident: { before, most, after: memory(studio.pid) } };
}

/** The cookie that the printed address sets. */
const signIn = ({ port, token }) => new Promise((resolve, reject) => {
  request({ host: '127.0.0.1', port, path: `/?token=${token}` }, (answer) => {
    answer.resume();
    resolve(answer.headers['set-cookie'][0].split(';')[0]);
  }).on('error', reject).end();
});

function ask({ port, origin }, agent, cookie, path, body) {
  return new Promise((resolve) => {
    const failed = (error) => resolve({ problem: String(error), json: () => null });
    const headers = { cookie, 'accept-encoding': 'gzip', ...(body && { origin, 'content-type': 'application/json' }) };
    const sent = request({ host: '127.0.0.1', port, path, agent, headers, method: body ? 'POST' : 'GET', timeout: LONGEST }, (answer) => {
      // Exports are large: only what is read again is kept.
      const parts = [];
      answer.on('data', (part) => { if (path.startsWith('/api/label')) parts.push(part); });
      answer.on('error', failed);
      answer.on('end', () => resolve({
        problem: answer.statusCode === 200 ? null : `status ${answer.statusCode}`,
        json: () => JSON.parse(Buffer.concat(parts).toString()),
      }));
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${LONGEST / 1000} s`)));
    sent.on('error', failed);
    sent.end(body && JSON.stringify(body));
  });
}
