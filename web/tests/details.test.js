// What goes wrong only for readers in a hurry, with a keyboard, on a narrow screen or with two windows.

import AxeBuilder from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { browser, go, load, open, panel, start } from './studio.js';

let chromium, studio, folder, page;

before(async () => {
  folder = panel();
  [chromium, studio] = await Promise.all([browser(), start(folder)]);
  page = await open(chromium, studio);
});
after(async () => {
  await chromium?.close();
  await studio?.stop();
});

const fine = () => assert.deepEqual(page.problems, []);

describe('the keyboard', () => {
  test('skipping to the content stays on the screen', async () => {
    await load(page, studio, 'sources?sort=accuracy');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
    assert.match(page.url(), /#\/sources\?sort=accuracy$/);
    assert.ok((await page.locator('.sources tbody tr').count()) > 0);
    fine();
  });

  test('a key that is held down answers one item', async () => {
    await load(page, studio, 'label');
    await page.locator('.asked').waitFor();
    await page.keyboard.down('1');
    await page.getByText('1 answer').waitFor();
    for (let i = 0; i < 5; i++) await page.keyboard.down('1');
    await page.keyboard.up('1');
    await page.waitForLoadState('networkidle');
    assert.match(await page.locator('[role=status]').last().innerText(), /\b1 answer\./);
    await page.keyboard.press('u');
    await page.getByText('0 answers').waitFor();
    fine();
  });
});

describe('pairs', () => {
  test('any two sources can be counted, and changes are listed until they are undone', async () => {
    await load(page, studio, 'structure');
    const counted = () => page.locator('.controls p[role=status]').first().innerText();
    const before = await counted();
    const ends = page.locator('section .controls select');
    await ends.first().selectOption('9');
    await ends.last().selectOption('7');
    await page.getByText('No dependency counts between them.').waitFor();
    assert.match(page.url(), /link=/);
    await page.getByRole('button', { name: 'Count this pair' }).click();
    const changes = page.getByRole('list', { name: 'Your changes' });
    await changes.getByText('Counted: judge 7 and judge 9').waitFor();
    await page.waitForFunction((before) => document.querySelector('.controls p[role=status]').textContent !== before && !document.querySelector('.controls p[role=status]').textContent.startsWith('Refitting'), before);
    await changes.getByRole('button', { name: 'Undo' }).click();
    await changes.waitFor({ state: 'detached' });
    await page.waitForFunction((before) => document.querySelector('.controls p[role=status]').textContent === before, before);
    fine();
  });

  test('an answer that comes late does not take the place of a newer one', async () => {
    await load(page, studio, 'structure');
    const slow = /api\/pair\?a=0&b=2/;
    await page.route(slow, async (route) => { await new Promise((resolve) => setTimeout(resolve, 600)); await route.continue(); });
    await go(page, studio, 'structure?link=0-2');
    await page.waitForTimeout(50);
    await go(page, studio, 'structure?link=4-5');
    await page.locator('.cross').waitFor();
    const shown = await page.locator('.cross tbody').innerText();
    await page.waitForTimeout(900);
    assert.equal(await page.locator('.cross tbody').innerText(), shown);
    await page.unroute(slow);
    fine();
  });
});

describe('items', () => {
  test('the source that is left out is in the address', async () => {
    await load(page, studio, 'items/7');
    await page.getByRole('button', { name: 'without it' }).nth(1).click();
    const said = await page.locator('.whatif').innerText();
    assert.match(said, /^Without /);
    await page.reload();
    await page.locator('.whatif b').waitFor();
    assert.equal(await page.locator('.whatif').innerText(), said);
    fine();
  });

  test('a pressed button can be read under the pointer', async () => {
    for (const colorScheme of ['light', 'dark']) {
      const sheet = await open(chromium, studio, { colorScheme });
      await load(sheet, studio, 'items/7');
      await sheet.getByRole('button', { name: 'without it' }).first().click();
      await sheet.locator('.whatif b').waitFor();
      const { violations } = await new AxeBuilder({ page: sheet }).include('.cast').withRules(['color-contrast']).analyze();
      assert.deepEqual(violations.map((one) => one.nodes[0].html), [], colorScheme);
      await sheet.context().close();
    }
  });
});

describe('answers', () => {
  const ask = (sheet, path) => sheet.evaluate((path) => fetch(path).then((answer) => answer.json()), path);

  test('certify the labels that are shown', async () => {
    // Six of ten judges repeat each other, so that labels depend on the structure.
    const own = mkdtempSync(join(tmpdir(), 'studio-'));
    copyFileSync(new URL('../../docs/pictures/judges-panel.csv', import.meta.url), join(own, 'judges.csv'));
    const server = await start(own, ['--gold', 'better', '--answers', 'answers.csv'], 'judges.csv');
    const sheet = await open(chromium, server);
    await go(sheet, server, 'label');
    await sheet.locator('.asked').waitFor();
    const truth = readFileSync(join(own, 'judges.csv'), 'utf8').trim().split('\n').slice(1).map((line) => Number(line.split(',').at(-1)));
    const press = async () => sheet.keyboard.press(String(1 + truth[Number(await sheet.locator('.asked .title').innerText())]));
    for (let i = 0; i < 20; i++) {
      await press();
      await sheet.getByText(new RegExp(`\\b${i + 1} answers?\\.`)).waitFor();
    }
    const items = readFileSync(join(own, 'answers.csv'), 'utf8').trim().split('\n').slice(1).map((line) => Number.parseInt(line, 10));
    assert.equal(items.length, 20);
    const right = async (view) => {
      const rows = await Promise.all(items.map((item) => ask(sheet, `/api/item/${item}${view}`)));
      const labelled = rows.filter((row) => row.label !== null);
      return labelled.filter((row) => row.label === truth[row.item]).length / labelled.length;
    };
    const changed = '?share=1';
    assert.notEqual(await right(''), await right(changed));
    for (const view of ['', changed]) {
      const { certificate } = await ask(sheet, `/api/label${view}`);
      assert.ok(Math.abs(certificate.accuracy.estimate - (await right(view))) < 1e-9, view);
    }
    // The page shows the certificate of its view, before an answer and after it.
    const big = (sheet) => sheet.locator('.big').innerText();
    const learned = await big(sheet);
    await load(sheet, server, `label${changed}`);
    await sheet.locator('.big').waitFor();
    assert.notEqual(await big(sheet), learned);
    await press();
    await sheet.getByText('21 answers').waitFor();
    const after = (await ask(sheet, `/api/label${changed}`)).certificate.accuracy.estimate;
    assert.ok((await big(sheet)).startsWith(`${Math.round(100 * after)}%`), `${await big(sheet)} is not ${after}`);
    await server.stop();
  });

  test('of somebody else are not overwritten', async () => {
    const own = panel(6, 80);
    const server = await start(own);
    const sheet = await open(chromium, server);
    await go(sheet, server, 'label');
    await sheet.locator('.asked').waitFor();
    await sheet.keyboard.press('1');
    await sheet.getByText('1 answer.').waitFor();
    const file = join(own, 'answers.csv');
    const theirs = `${readFileSync(file, 'utf8')}x3,ham\n`;
    writeFileSync(file, theirs);
    await sheet.keyboard.press('2');
    await sheet.getByRole('alert').getByText('has changed since the studio read it').waitFor();
    assert.equal(readFileSync(file, 'utf8'), theirs);
    await server.stop();
  });
});

describe('pictures', () => {
  test('bars end where their range of confidence ends', async () => {
    await load(page, studio, 'overview');
    await page.locator('.plot rect').first().waitFor();
    const [bar, tick] = await page.evaluate(() => {
      const chart = document.querySelector('.plot');
      const middle = (box) => box.x + box.width / 2;
      const right = Math.max(...[...chart.querySelectorAll('rect')].map((rect) => rect.getBoundingClientRect().right));
      const all = [...chart.querySelectorAll('text')].find((text) => text.textContent === '100%');
      return [right, all ? middle(all.getBoundingClientRect()) : Number.NaN];
    });
    assert.ok(Math.abs(bar - tick) < 4, `the last bar ends at ${bar}, 100% is at ${tick}`);
    fine();
  });

  test('captions of narrow tables are not cut off, and numbers stay whole', async () => {
    const sheet = await open(chromium, studio, { viewport: { width: 390, height: 900 } });
    for (const hash of ['structure?link=0-1', 'compare']) {
      await load(sheet, studio, hash);
      await sheet.locator('.cross').waitFor();
      const over = await sheet.evaluate(() => {
        const box = document.querySelector('.cross').parentElement.getBoundingClientRect();
        const words = document.createRange();
        words.selectNodeContents(document.querySelector('.cross caption'));
        return words.getBoundingClientRect().right - box.right;
      });
      assert.ok(over <= 0, `${hash}: ${over}`);
      const lines = await sheet.locator('.cross td.number').evaluateAll((cells) => cells.map((cell) => { const words = document.createRange(); words.selectNodeContents(cell); return words.getClientRects().length; }));
      assert.ok(lines.every((count) => count <= 1), `${hash}: a number is broken into lines`);
    }
    await sheet.context().close();
  });

  test('the report cuts off no name', async () => {
    const names = ['WWWWWWWWWWWWWWWWWWWWWWWWW', 'mmmmmmmmmmmmmmmmmmmmmmmmm', '<img src=x onerror="window.hurt=1">', '日本語日本語日本語日本語日本語日本語', 'plain', 'short'];
    const rows = readFileSync(join(folder, 'votes.csv'), 'utf8').trim().split('\n').slice(1).map((line) => line.split(',').slice(0, 7).join(','));
    const head = ['item', ...names].map((name) => `"${name.replaceAll('"', '""')}"`).join(',');
    writeFileSync(join(folder, 'wide.csv'), `${[head, ...rows].join('\n')}\n`);
    execFileSync(process.env.CONSILIENCE, ['--quiet', 'report', 'wide.csv', '-o', 'wide.html'], { cwd: folder });
    for (const width of [1280, 390]) {
      const context = await chromium.newContext({ viewport: { width, height: 900 }, javaScriptEnabled: true });
      const sheet = await context.newPage();
      await sheet.goto(`file://${join(folder, 'wide.html')}`);
      const cut = await sheet.evaluate(() => [...document.querySelectorAll('svg.heat, .graph svg')].filter((svg) => svg.checkVisibility()).flatMap((svg) => {
        const box = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('text')].filter((text) => { const own = text.getBoundingClientRect(); return own.left < box.left - 0.5 || own.right > box.right + 0.5; }).map((text) => text.textContent);
      }));
      assert.deepEqual(cut, [], `${width}`);
      await context.close();
    }
  });
});
