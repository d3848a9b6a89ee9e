// Measures the studio on a large table, prints what it takes, and ends with 1 where a target is missed: make studio-bench.
//
// CONSILIENCE names the command, OUTPUT a folder for tables. ITEMS, SOURCES, ROUNDS, CLIENTS and SECONDS make it smaller or larger.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { browser, start } from '../../web/tests/studio.js';
import { firstPaint, measure } from './browser.mjs';
import { load } from './load.mjs';
import { memory } from './memory.mjs';
import { Results, p99 } from './results.mjs';
import { table, texts } from './tables.mjs';
import { interactions, refits } from './uses.mjs';

const number = (name, otherwise) => Number(process.env[name] ?? otherwise);
const [items, sources, rounds] = [number('ITEMS', 1_000_000), number('SOURCES', 100), number('ROUNDS', 5)];
const [clients, seconds] = [number('CLIENTS', 200), number('SECONDS', 60)];
const only = process.env.ONLY?.split(',');
const wanted = (part) => !only || only.includes(part);
const folder = process.env.OUTPUT;
if (!folder) throw new Error('name a folder for tables in the variable OUTPUT (make studio-bench does)');
mkdirSync(folder, { recursive: true });

const PAIRS = 10;
const large = table(folder, sources, items, PAIRS);
const half = table(folder, 50, items, PAIRS);
const flags = ['--text', texts(folder, items), '--answers', 'answers.csv'];
const results = new Results();
console.log(`${items.toLocaleString('en-US')} items x ${sources} sources; ${cpus().length} x ${cpus()[0].model}`);

if (wanted('report')) {
  const report = (table) => {
    const began = performance.now();
    const { status } = spawnSync(process.env.CONSILIENCE, ['--quiet', 'report', table, '-o', 'report.html'], { cwd: folder, stdio: 'inherit' });
    if (status !== 0) throw new Error(`the report ended with ${status}`);
    return performance.now() - began;
  };
  results.section('Report');
  for (const one of [table(folder, sources, items), large]) results.time(`report ${one}`, { page: [report(one), report(one), report(one)], most: 5000 });
}

const chromium = await browser();

/** A studio on `table`; what `use` does with it is measured. */
async function studio(table, use) {
  rmSync(join(folder, 'answers.csv'), { force: true });
  const began = performance.now();
  const server = await start(folder, flags, table);
  results.note(`${table}: the studio is ready after ${((performance.now() - began) / 1000).toFixed(1)} s and takes ${memory(server.pid)} MB`);
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

if (wanted('page') || wanted('load')) {
  await studio(large, async (server) => {
    if (wanted('page')) {
      results.section(`The page on ${large}`);
      const { painted, complete, bytes } = await firstPaint(chromium, server, rounds);
      results.time('first paint', { page: painted, most: 1000 });
      results.time('first screen complete', { page: complete, most: 1000 });
      results.amount('page, compressed', bytes / 1000, 'kB', 400);
      for (const one of await measure(chromium, server, interactions, rounds)) results.time(one.name, { ...one, most: 200 });
      for (const one of await measure(chromium, server, refits, rounds)) results.time(`${one.name} (refit)`, one);
    }
    if (wanted('load')) {
      results.section(`${clients} clients for ${seconds} s`);
      const { kinds, errors, all, resident } = await load(server, { clients, seconds, items, sources });
      for (const [kind, times] of kinds) results.tail(kind, times);
      results.tail('all requests', all);
      results.amount('errors', errors.length, '', 0);
      errors.slice(0, 5).forEach((error) => results.note(error));
      results.amount('resident memory before', resident.before, 'MB');
      results.amount('resident memory, most during the load', resident.most, 'MB', Math.max(1.5 * resident.before, resident.before + 500));
      results.amount('resident memory after', resident.after, 'MB');
      results.note(`${(all.length / seconds).toFixed(0)} requests per second, p99 ${Math.round(p99(all))} ms`);
    }
  });
}

if (wanted('refit')) {
  await studio(half, async (server) => {
    results.section(`Refits on ${half}`);
    for (const one of await measure(chromium, server, refits, rounds)) results.time(one.name, { ...one, most: 1000 });
  });
}

await chromium.close();
process.exitCode = results.end();
