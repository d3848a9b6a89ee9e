// The committed page is the one that these sources make.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const web = resolve(import.meta.dirname, '..');
const committed = resolve(web, '../crates/consilience-studio/page');

test('the committed page is not stale', () => {
  const fresh = mkdtempSync(join(tmpdir(), 'page-'));
  execFileSync(process.execPath, [join(web, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], { cwd: web, env: { ...process.env, PAGE_DIR: fresh }, stdio: 'inherit' });
  const names = readdirSync(fresh).sort();
  assert.deepEqual(readdirSync(committed).sort(), names);
  for (const name of names) assert.ok(readFileSync(join(fresh, name)).equals(readFileSync(join(committed, name))), `${name} is stale: run make page and commit it`);
});

test('the page is small', () => {
  const packed = readdirSync(committed).filter((name) => name.endsWith('.gz'));
  const bytes = packed.reduce((sum, name) => sum + readFileSync(join(committed, name)).length, 0);
  assert.ok(bytes < 400_000, `${bytes} bytes`);
});

test('the lock file names no registry', () => {
  assert.ok(!/"resolved"/.test(readFileSync(join(web, 'package-lock.json'), 'utf8')));
});
