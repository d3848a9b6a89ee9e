// A studio of its own for each test, and a browser to look at it with.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

export const HOSTILE = '<img src=x onerror="window.hurt=1">\u202E&quot;';
const COMMAND = process.env.CONSILIENCE;
if (!COMMAND) throw new Error('name the consilience command in the variable CONSILIENCE (make studio-test does)');
export const PICTURES = process.env.PICTURES ?? join(tmpdir(), 'consilience-pictures');
mkdirSync(PICTURES, { recursive: true });

/** Ten sources on 600 items; three of them repeat the first. The second class and one source have hostile names. */
export function panel(sources = 10, items = 600) {
  const folder = mkdtempSync(join(tmpdir(), 'studio-'));
  let seed = 12345;
  const random = () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32);
  const classes = ['ham', HOSTILE];
  const names = Array.from({ length: sources }, (_, j) => (j === 1 ? HOSTILE : `judge ${j}`));
  const cell = (text) => `"${text.replaceAll('"', '""')}"`;
  const votes = [['item', ...names, 'gold'].map(cell).join(',')];
  const texts = ['item,text'];
  for (let i = 0; i < items; i++) {
    const truth = random() < 0.5 ? 0 : 1;
    const says = (right) => (random() < right ? truth : 1 - truth);
    const first = says(0.62);
    const row = names.map((_, j) => {
      const own = says(0.66 + 0.02 * (j % 8));
      if (j > 0 && j < Math.min(4, sources - 3) && random() < 0.7) return first;
      return j === 0 ? first : own;
    });
    votes.push([`x${i}`, ...row.map((c) => classes[c]), classes[truth]].map(cell).join(','));
    texts.push([`x${i}`, i === 7 ? `<script>window.hurt=1</script> needle ${HOSTILE}` : `text number ${i} about things`].map(cell).join(','));
  }
  writeFileSync(join(folder, 'votes.csv'), `${votes.join('\n')}\n`);
  writeFileSync(join(folder, 'text.csv'), `${texts.join('\n')}\n`);
  return folder;
}

/** Mails, rules that vote on them (one with a hostile name), and some votes. */
export function rules() {
  const folder = mkdtempSync(join(tmpdir(), 'studio-'));
  let seed = 4321;
  const random = () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const spam = ['free money for you', 'you have won a prize', 'win free tickets', 'you won, click the link', 'cheap loans, click now'];
  const ham = ['see you at the meeting', 'the report is done', 'lunch at noon?', 'minutes of the meeting and the report', 'call me back'];
  const tails = ['', ' today', ' and thanks for all the work on it', ', best wishes from everybody here', ' <b>'];
  const mails = ['id,text', ...Array.from({ length: 300 }, (_, i) => `m${i},"${pick(random() < 0.5 ? spam : ham)}${pick(tails)}"`)];
  writeFileSync(join(folder, 'mails.csv'), `${mails.join('\n')}\n`);
  writeFileSync(join(folder, 'votes.csv'), `item,a,b,c\n${Array.from({ length: 60 }, (_, i) => `x${i},${i % 2},${i % 3 ? i % 2 : 1},${i % 5 ? i % 2 : 0}`).join('\n')}\n`);
  writeFileSync(join(folder, 'sources.toml'), `# Rules for mails.
classes = ["ham", "spam"]   # in this order
text = "text"

# Offers.
[[source]]
name = "free"
vote = "spam"
keywords = ["free", "win"] # more to come

[[source]]
name = "prize"
vote = "spam"
regex = 'you (have )?won'

[[source]]
name   = "short"
vote   = "ham"
sql    = "length(text) < 30"

# Made of others.
[[source]]
name = "both"
vote = "spam"
any = ["free", "prize"]

[[source]]
name = "work"
vote = "ham"
keywords = ["meeting", "report", "lunch", "call"]

[[source]]
name = ${JSON.stringify(HOSTILE)}
vote = "spam"
keywords = ["<b>", "click"]
`);
  return folder;
}

/** Starts a studio in `folder`; its address comes on standard output. */
export async function start(folder, flags = ['--text', 'text.csv', '--answers', 'answers.csv'], table = 'votes.csv') {
  const child = spawn(COMMAND, ['--quiet', 'studio', table, '--no-open', ...flags], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (bytes) => { text += bytes; if (text.includes('\n')) resolve(text.trim()); });
    child.on('exit', (code) => reject(new Error(`the studio ended with ${code}`)));
  });
  const url = new URL(address);
  const stop = (signal = 'SIGTERM') => new Promise((resolve) => { child.once('exit', resolve); child.kill(signal); });
  return { address, origin: url.origin, port: url.port, token: url.searchParams.get('token'), stop, pid: child.pid };
}

export const browser = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'] });

/** A page at the studio's first screen; what goes wrong in it is kept in `page.problems`. */
export async function open(browser, studio, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') page.problems.push(message.text()); });
  page.on('request', (request) => { if (!request.url().startsWith(studio.origin) && !/^(data|about):/.test(request.url())) page.problems.push(`loads ${request.url()}`); });
  await page.goto(studio.address);
  await page.getByText('Who repeats whom').waitFor();
  return page;
}

export const go = (page, studio, hash) => page.goto(`${studio.origin}/#/${hash}`);

/** The same from scratch, and back when nothing is loaded any more. */
export async function load(page, studio, hash) {
  await page.goto('about:blank');
  await go(page, studio, hash);
  await page.waitForLoadState('networkidle');
}
