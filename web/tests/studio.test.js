// The studio in a real browser: every screen is opened, used and asserted on.

import AxeBuilder from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { HOSTILE, PICTURES, browser, go, load, open, panel, start } from './studio.js';

let chromium, studio, folder, page;
// What a page shows of the hostile name: text without the sign that turns the direction, or with it; never an element.
const HEAD = '<img src=x onerror=';

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

describe('screens', () => {
  test('overview says what the panel is worth', async () => {
    const worth = Number(await page.locator('.headline b').innerText());
    assert.ok(worth > 6 && worth < 9.7, `${worth}`);
    assert.ok((await page.locator('.node').count()) >= 4);
    await page.locator('.plot rect:not([height="0"])').first().waitFor();
    fine();
  });

  test('sources are sorted and filtered, and each has a page', async () => {
    await go(page, studio, 'sources');
    await page.getByRole('button', { name: 'Accuracy' }).click();
    const shown = await page.locator('tbody tr td:nth-child(4)').allInnerTexts();
    const numbers = shown.map((text) => Number.parseFloat(text));
    assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
    await page.getByRole('searchbox').fill('judge 9');
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    assert.match(page.url(), /q=judge\+9/);
    await page.getByRole('link', { name: 'judge 9' }).click();
    await page.getByText('Most disputed items').waitFor();
    await page.locator('.items li').first().waitFor();
    fine();
  });

  test('the slider changes the graph at once, and the model when it is let go', async () => {
    await go(page, studio, 'structure');
    await page.locator('.node').first().waitFor();
    const worth = async () => Number(await page.locator('.lead b').innerText());
    const [before, pairs] = [await worth(), await page.locator('.pair').count()];
    assert.ok(pairs > 0);
    const slider = page.getByRole('slider');
    await slider.evaluate((input) => { input.value = '1'; input.dispatchEvent(new Event('input', { bubbles: true })); });
    await page.waitForFunction((pairs) => document.querySelectorAll('.pair').length < pairs, pairs);
    assert.equal(await worth(), before);
    await slider.evaluate((input) => input.dispatchEvent(new Event('change', { bubbles: true })));
    await page.waitForFunction((before) => Number(document.querySelector('.lead b').textContent) > before, before);
    assert.match(page.url(), /share=1/);
    await page.getByText('A changed structure is shown.').waitFor();
    // The address alone brings the view back.
    await page.reload();
    await page.getByText('A changed structure is shown.').waitFor();
    assert.ok((await worth()) > before);
    await page.getByRole('link', { name: 'Back to the learned one' }).click();
    await page.waitForFunction((before) => Number(document.querySelector('.lead b').textContent) === before, before);
    fine();
  });

  test('a link shows the votes of both, and can be forbidden', async () => {
    await go(page, studio, 'structure');
    await page.locator('.pair:not(:has(line[stroke-dasharray]))').first().focus();
    await page.keyboard.press('Enter');
    await page.getByText('They agree').waitFor();
    const cells = await page.locator('.cross td').allInnerTexts();
    const sum = cells.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
    assert.equal(sum, 600);
    const counted = () => Number.parseInt(document.querySelector('.controls p[role=status]').textContent, 10);
    const before = await page.evaluate(counted);
    await page.getByRole('button', { name: 'Forbid this pair' }).click();
    await page.waitForFunction((before) => Number.parseInt(document.querySelector('.controls p[role=status]').textContent, 10) < before, before);
    assert.match(page.url(), /forbid=/);
    fine();
  });

  test('items are found by text, and what votes add is the log odds', async () => {
    await go(page, studio, 'items');
    await page.locator('.items li').first().waitFor();
    await page.getByRole('searchbox').fill('NEEDLE');
    await page.waitForFunction(() => document.querySelectorAll('.items li').length === 1);
    await page.locator('.items a').click();
    const fall = page.locator('.waterfall');
    await fall.locator('.plot').waitFor();
    const [sum, all] = await fall.evaluate((element) => [Number(element.dataset.sum), Number(element.dataset.logOdds)]);
    assert.ok(Math.abs(sum - all) < 1e-6, `${sum} is not ${all}`);
    // The numbers that are shown add up as well.
    const shown = await page.locator('.two tbody td:nth-child(3)').allInnerTexts();
    const prior = all - shown.reduce((total, text) => total + Number(text.replace('−', '-')), 0);
    assert.ok(Math.abs(prior) < 0.2, `${prior}`);
    await page.getByRole('button', { name: 'without it' }).first().click();
    await page.getByText(/Without .* the label would be/).waitFor();
    fine();
  });

  test('items are filtered', async () => {
    const total = async (hash) => {
      await load(page, studio, hash);
      return Number.parseInt((await page.locator('main p[role=status]').last().innerText()).replaceAll(',', ''), 10);
    };
    assert.equal(await total('items'), 600);
    const [one, two] = [await total('items?label=1'), await total('items?label=2')];
    assert.ok(one > 0 && two > 0 && one + two <= 600, `${one} ${two}`);
    assert.ok((await total('items?high=0.6')) < 600);
    assert.ok((await total('items?disputed=true')) < 600);
    assert.ok((await total('items?source=3&against=true')) > 0);
    assert.equal(await total('items?q=no+such+thing'), 0);
    fine();
  });

  test('compare counts what flipped', async () => {
    await go(page, studio, 'compare');
    await page.getByText(/labels? differs?/).first().waitFor();
    const head = Number.parseInt((await page.locator('section h2').innerText()).replaceAll(',', ''), 10);
    const strong = await page.locator('.cross td.strong').allInnerTexts();
    assert.equal(strong.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0), head);
    assert.ok(head > 0);
    fine();
  });
});

describe('labelling', () => {
  test('answers are saved as they are given and survive a crash', async () => {
    const own = panel(6, 80);
    let server = await start(own);
    let sheet = await open(chromium, server);
    await go(sheet, server, 'label');
    await sheet.locator('.asked').waitFor();
    // Blind: the votes are not in what the page was sent.
    const state = await sheet.evaluate(() => fetch('/api/label').then((answer) => answer.text()));
    assert.ok(!state.includes('votes') && !state.includes('confidence'), state);
    const asked = [];
    for (let i = 0; i < 10; i++) {
      asked.push(await sheet.locator('.asked .title').innerText());
      await sheet.keyboard.press(i % 3 ? '1' : '2');
      await sheet.getByText(`${i + 1} answer`).waitFor();
    }
    assert.equal(new Set(asked).size, 10);
    await sheet.getByText('right labels,').waitFor();
    await sheet.keyboard.press('u');
    await sheet.getByText('9 answers').waitFor();
    assert.equal(await sheet.locator('.asked .title').innerText(), asked[9]);
    await sheet.keyboard.press('s');
    await sheet.getByText('1 skipped').waitFor();
    await sheet.keyboard.press('1');
    await sheet.getByText('10 answers').waitFor();
    const saved = readFileSync(join(own, 'answers.csv'), 'utf8');
    assert.equal(saved.trim().split('\n').length, 12);
    await server.stop('SIGKILL');
    assert.equal(readFileSync(join(own, 'answers.csv'), 'utf8'), saved);
    server = await start(own);
    sheet = await open(chromium, server);
    await go(sheet, server, 'label');
    await sheet.getByText('10 answers').waitFor();
    await server.stop();
  });

  test('without a file nothing is asked or written', async () => {
    const own = panel(5, 40);
    const server = await start(own, []);
    const sheet = await open(chromium, server);
    await go(sheet, server, 'label');
    await sheet.getByText('--answers answers.csv').waitFor();
    const status = await sheet.evaluate(() => fetch('/api/label', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"item":0,"class":1}' }).then((answer) => answer.status));
    assert.equal(status, 400);
    assert.ok(!existsSync(join(own, 'answers.csv')));
    await server.stop();
  });
});

describe('safety', () => {
  test('hostile names and texts are text', async () => {
    for (const hash of ['overview', 'sources', 'sources/1', 'structure?link=0-1', 'items?q=needle', 'items/7', 'label', 'compare']) {
      await load(page, studio, hash);
      assert.equal(await page.evaluate(() => window.hurt), undefined, hash);
      assert.equal(await page.locator('main img, main script').count(), 0, hash);
      // Marks in a name would turn the numbers next to it; texts stand alone.
      const turned = await page.evaluate(() => {
        const copy = document.querySelector('main').cloneNode(true);
        copy.querySelectorAll('.cell, .text').forEach((text) => text.remove());
        return copy.textContent.includes('\u202e');
      });
      assert.ok(!turned, hash);
    }
    await go(page, studio, 'sources/1');
    await page.locator('h2.title').waitFor();
    assert.ok((await page.locator('h2.title').innerText()).startsWith(HEAD));
    fine();
  });

  const ask = (path, headers = {}, method = 'GET', body = '') =>
    new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port: studio.port, path, method, headers }, (answer) => {
        let text = '';
        answer.on('data', (bytes) => (text += bytes)).on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
      });
      call.on('error', reject);
      call.end(body);
    });

  test('a wrong token, Host or Origin is refused', async () => {
    assert.equal((await ask('/')).status, 403);
    assert.equal((await ask('/api/report')).status, 403);
    assert.equal((await ask(`/?token=${'0'.repeat(64)}`)).status, 403);
    const let_in = await ask(`/?token=${studio.token}`);
    assert.equal(let_in.status, 303);
    const cookie = let_in.headers['set-cookie'][0];
    assert.match(cookie, /HttpOnly; SameSite=Strict/);
    const session = { cookie: cookie.split(';')[0] };
    assert.equal((await ask('/api/report', session)).status, 200);
    for (const host of ['evil.com', `127.0.0.1.evil.com:${studio.port}`, '127.0.0.1', `127.0.0.1:${studio.port}0`]) {
      assert.equal((await ask('/api/report', { ...session, host })).status, 403, host);
      assert.equal((await ask(`/?token=${studio.token}`, { host })).status, 403, host);
    }
    for (const origin of ['http://evil.com', 'null', `http://localhost:${studio.port}`]) assert.equal((await ask('/api/report', { ...session, origin })).status, 403, origin);
    const body = JSON.stringify({ item: 0, class: 1 });
    const post = { ...session, 'content-type': 'application/json', 'content-length': body.length };
    assert.equal((await ask('/api/label', post, 'POST', body)).status, 403);
    assert.equal((await ask('/api/label', { ...post, origin: 'http://evil.com' }, 'POST', body)).status, 403);
    const page = await ask('/', session);
    assert.match(page.headers['content-security-policy'], /default-src 'self'/);
    assert.equal(page.headers['access-control-allow-origin'], undefined);
    assert.equal((await ask('/api/export/..%2f..%2fetc%2fpasswd', session)).status, 404);
    assert.equal((await ask('/api/item/999999999', session)).status, 404);
    const large = 'x'.repeat(100_000);
    const refused = await ask('/api/label', { ...post, origin: studio.origin, 'content-length': large.length }, 'POST', large).catch(() => ({ status: 413 }));
    assert.equal(refused.status, 413);
  });

  test('exports are what the command line writes', async () => {
    const cookie = (await ask(`/?token=${studio.token}`)).headers['set-cookie'][0].split(';')[0];
    execFileSync(process.env.CONSILIENCE, ['--quiet', 'label', 'votes.csv', '-o', 'labels.csv'], { cwd: folder });
    // The same cells; quotes around a cell that needs none say nothing.
    const cells = (text) => text.replaceAll('"', '');
    assert.equal(cells((await ask('/api/export/labels.csv', { cookie })).text), cells(readFileSync(join(folder, 'labels.csv'), 'utf8')));
    assert.match((await ask('/api/export/report.html', { cookie })).text, /<!DOCTYPE html>/);
    assert.ok(JSON.parse((await ask('/api/export/structure.json', { cookie })).text).sources.includes(HOSTILE));
    assert.ok(JSON.parse((await ask('/api/export/model.json', { cookie })).text).version);
  });
});

describe('looks', () => {
  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 390]) {
      test(`no accessibility violation, ${scheme}, ${width} wide`, async () => {
        const sheet = await open(chromium, studio, { colorScheme: scheme, viewport: { width, height: 900 } });
        for (const hash of ['overview', 'sources', 'sources/0', 'structure?link=0-2', 'items', 'items/7', 'label', 'compare']) {
          await load(sheet, studio, hash);
          const { violations } = await new AxeBuilder({ page: sheet }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze();
          assert.deepEqual(violations.map((one) => `${hash}: ${one.id}: ${one.nodes[0].html}`), []);
          const wide = await sheet.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.ok(wide <= 0, `${hash} is ${wide} pixels too wide`);
          await sheet.screenshot({ path: join(PICTURES, `${hash.replace(/\W+/g, '-')}-${scheme}-${width}.png`), fullPage: true });
        }
        await sheet.context().close();
      });
    }
  }
});
