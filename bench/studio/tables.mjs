// The tables that are measured. Made once, and kept for the next run.

import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A table of simulated votes in `folder`; with pairs that depend on each other, its sources are weaker, so that labels differ. */
export function table(folder, sources, items, pairs) {
  const name = `${sources}x${items}${pairs ? '-linked' : ''}.parquet`;
  if (!existsSync(join(folder, name))) {
    const linked = pairs ? ['--pairs', pairs, '--correlation', 1, '--correct', '0.56..0.7'] : [];
    const flags = ['--sources', sources, '--items', items, '--abstain', 0.7, ...linked, '--seed', 1, '-o', name];
    const { status } = spawnSync(process.env.CONSILIENCE, ['--quiet', 'simulate', ...flags.map(String)], { cwd: folder, stdio: 'inherit' });
    if (status !== 0) throw new Error(`simulate ended with ${status}`);
  }
  return name;
}

const WORDS = 'meeting report lunch invoice ticket prize money loan answer question garden river winter summer letter signal'.split(' ');

/** A table with a text for each item in `folder`: eight of sixteen words, and a word of its own. */
export function texts(folder, items) {
  const name = `text-${items}.csv`;
  const [path, part] = [join(folder, name), join(folder, `${name}.part`)];
  if (existsSync(path)) return name;
  let seed = 12345;
  const word = () => WORDS[(seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 28];
  const file = openSync(part, 'w');
  let lines = ['text'];
  for (let i = 0; i < items; i++) {
    lines.push(`${Array.from({ length: 8 }, word).join(' ')} needle${i}x`);
    if (lines.length === 10_000) { writeSync(file, `${lines.join('\n')}\n`); lines = []; }
  }
  if (lines.length) writeSync(file, `${lines.join('\n')}\n`);
  closeSync(file);
  renameSync(part, path);
  return name;
}
