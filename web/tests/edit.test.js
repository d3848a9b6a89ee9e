// The Edit screen in a real browser: a change of a rule is tried, refused or saved.

import AxeBuilder from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { HOSTILE, PICTURES, browser, go, load, open, rules, start } from './studio.js';

let chromium, folder, studio, page, original;
const file = () => join(folder, 'sources.toml');
const text = () => readFileSync(file(), 'utf8');
const area = (sheet = page) => sheet.locator('#rule');
const fine = () => assert.deepEqual(page.problems, []);
const edit = (name) => `edit?source=${encodeURIComponent(name)}`;

/** Replaces a part of the rule that is open, as a reader would, and waits for what it moves. */
async function change(from, to, sheet = page) {
  const now = await area(sheet).inputValue();
  assert.ok(now.includes(from), now);
  await area(sheet).fill(now.replace(from, to));
}
const flipped = (sheet = page) => sheet.locator('[data-flipped]');

before(async () => {
  folder = rules();
  original = text();
  [chromium, studio] = await Promise.all([browser(), start(folder, ['--sources', 'sources.toml'], 'mails.csv')]);
  page = await open(chromium, studio);
});
beforeEach(() => { if (page) page.problems.length = 0; });
after(async () => {
  await chromium?.close();
  await studio?.stop();
});

describe('trying', () => {
  test('a changed rule moves coverage, conflicts and labels', async () => {
    await load(page, studio, edit('free'));
    await area().waitFor();
    assert.equal(await area().inputValue(), '# Offers.\n[[source]]\nname = "free"\nvote = "spam"\nkeywords = ["free", "win"] # more to come\n');
    assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true);
    await change('"free", "win"', '"free", "win", "meeting", "report"');
    await flipped().waitFor();
    assert.ok(Number(await flipped().getAttribute('data-flipped')) > 0);
    const row = page.locator('.moves tbody tr').first();
    assert.equal((await row.locator('th').innerText()).trim(), 'free');
    for (const cell of await row.locator('td').allInnerTexts()) {
      const [before, after] = [...cell.matchAll(/([\d.]+)%/g)].map((found) => Number(found[1]));
      assert.ok(after > before, cell);
    }
    // Only this rule and what is made of it.
    await page.getByText('2 sources run again over 300 items').waitFor();
    assert.ok((await page.locator('.moves .items li').count()) > 0);
    // Nothing is written, and other screens know nothing of it.
    assert.equal(text(), original);
    const shown = await page.evaluate(() => fetch('/api/report').then((answer) => answer.json()));
    assert.ok(shown.sources[0].coverage < 0.5);
    fine();
  });

  test('the change is in the address and in the list, until it is reverted', async () => {
    assert.match(page.url(), /draft=/);
    await page.reload();
    await flipped().waitFor();
    assert.match(await area().inputValue(), /"meeting"/);
    await page.getByRole('link', { name: /^short/ }).click();
    await page.getByRole('heading', { name: 'short' }).waitFor();
    await page.locator('.rules li', { hasText: 'changed' }).waitFor();
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('heading', { name: 'Compare' }).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('link', { name: /^free/ }).click();
    await flipped().waitFor();
    assert.match(await area().inputValue(), /"meeting"/);
    await page.getByRole('button', { name: 'Revert' }).click();
    await page.locator('.moves').waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /draft=/);
    assert.equal(await page.locator('.rules li', { hasText: 'changed' }).count(), 0);
    fine();
  });

  test('a rule that is taken out is named', async () => {
    await load(page, studio, edit('short'));
    await area().fill('');
    await page.locator('.moves').getByText('removed').waitFor();
    await flipped().waitFor();
    await page.getByRole('button', { name: 'Revert' }).click();
    fine();
  });
});

describe('errors', () => {
  test('have a line and a column, and nothing is saved', async () => {
    await load(page, studio, edit('prize'));
    await area().waitFor();
    const line = text().split('\n').findIndex((one) => one.startsWith('regex')) + 1;
    await change("'you (have )?won'", "'you (have ?won'");
    await page.locator('.faults').getByText(`line ${line}, column 1`).waitFor();
    assert.match(await page.locator('.faults').innerText(), /source "prize"/);
    assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true);
    await page.keyboard.press('Control+s');
    const answer = await page.evaluate(async () => {
      const { base } = await fetch('/api/edit').then((answer) => answer.json());
      const body = JSON.stringify({ base, source: 'prize', text: '[[source]]\nname = "prize"\nvote = 1\n' });
      return fetch('/api/edit/save', { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then((answer) => answer.json());
    });
    assert.equal(answer.saved, false);
    assert.ok(answer.faults.length > 0);
    assert.equal(text(), original);
    // The place is a button that leads there.
    await page.getByRole('button', { name: `line ${line}, column 1` }).click();
    const chosen = await area().evaluate((element) => element.value.slice(element.selectionStart, element.selectionEnd));
    assert.equal(chosen, "regex = 'you (have ?won'");
    await page.getByRole('button', { name: 'Revert' }).click();
    fine();
  });

  test('SQL, columns and unknown sources are told, too', async () => {
    for (const [name, from, to, message] of [
      ['short', 'length(text) < 30', 'length(txt) < 30', /no column|txt/],
      ['short', 'length(text) < 30', 'length(text < 30', /SQL|sql|expected/i],
      ['both', '"prize"', '"prise"', /there is no source "prise"; did you mean "prize"/],
      ['free', 'name = "free"', 'name = "fre"', /there is no source "free"/],
    ]) {
      await load(page, studio, edit(name));
      await area().waitFor();
      await change(from, to);
      await page.locator('.faults').waitFor();
      assert.match(await page.locator('.faults').innerText(), message);
      await page.getByRole('button', { name: 'Revert' }).click();
    }
    assert.equal(text(), original);
    fine();
  });

  test('a rule gains no rights by being edited', async () => {
    for (const [rule, message] of [
      ['command = ["sh", "-c", "touch hurt"]', /may not run: the studio was started without --allow-commands/],
      ['vote = "spam"\nlookup = { file = "../secret.csv", keys = ["text"] }', /below the folder of the sources/],
      ['vote = "spam"\nkeywords_file = "/etc/passwd"', /below the folder of the sources/],
    ]) {
      await load(page, studio, edit('short'));
      await area().fill(`[[source]]\nname = "short"\n${rule}\n`);
      await page.locator('.faults').waitFor();
      assert.match(await page.locator('.faults').innerText(), message);
      await page.getByRole('button', { name: 'Revert' }).click();
    }
    // Classes are part of everything that is shown.
    await load(page, studio, 'edit?whole=1');
    await change('classes = ["ham", "spam"]', 'classes = ["ham", "spam", "eggs"]');
    await page.locator('.faults').getByText('the classes cannot change').waitFor();
    await page.getByRole('button', { name: 'Revert' }).click();
    assert.equal(text(), original);
    fine();
  });
});

describe('saving', () => {
  test('writes the rule and leaves the rest of the file as it is', async () => {
    await load(page, studio, edit('free'));
    await area().waitFor();
    await change('"free", "win"', '"free", "win", "meeting"');
    await flipped().waitFor();
    const coverage = await page.locator('.moves tbody tr').first().locator('td b').first().innerText();
    await page.getByText('Not saved yet').waitFor();
    await area().press('Control+s');
    await page.getByText('Saved to sources.toml.').waitFor();
    assert.equal(text(), original.replace('"free", "win"', '"free", "win", "meeting"'));
    assert.doesNotMatch(page.url(), /draft=/);
    // All screens show the new votes.
    await page.getByRole('link', { name: 'Sources' }).click();
    const shown = page.getByRole('row', { name: /^free/ }).locator('td').first();
    await page.waitForFunction((coverage) => document.querySelector('tbody td')?.textContent.includes(coverage), `${Math.round(Number.parseFloat(coverage))}%`);
    assert.match(await shown.innerText(), /%/);
    await load(page, studio, edit('free'));
    assert.match(await area().inputValue(), /"meeting"/);
    assert.equal(await page.getByText('was changed outside').count(), 0);
    fine();
  });

  test('a renamed rule stays open', async () => {
    await load(page, studio, edit('short'));
    await area().waitFor();
    await change('"short"', '"brief"');
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'brief' }).waitFor();
    await page.getByText('Saved to').waitFor();
    assert.match(page.url(), /source=brief/);
    await change('"brief"', '"short"');
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'short' }).waitFor();
    fine();
  });

  test('a file that somebody else changed is not overwritten', async () => {
    await load(page, studio, edit('prize'));
    await area().waitFor();
    const other = `# Somebody was here.\n${text()}`;
    writeFileSync(file(), other);
    await change('you (have )?won', 'you (have )?(won|got)');
    await page.getByText('was changed by another program').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true);
    assert.equal(text(), other);
    await page.getByRole('button', { name: 'Keep my text' }).click();
    await page.getByText('Not saved yet').waitFor();
    // Between the try and saving.
    const third = other.replace('Somebody was', 'Many were');
    writeFileSync(file(), third);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('was changed by another program').waitFor();
    assert.equal(text(), third);
    await page.getByRole('button', { name: 'Keep my text' }).click();
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved to').waitFor();
    assert.equal(text(), third.replace('you (have )?won', 'you (have )?(won|got)'));
    page.problems.length = 0; // The browser notes refused requests.
  });

  test('a rule that was changed outside can be taken over', async () => {
    writeFileSync(file(), text().replace('(won|got)', 'won'));
    await load(page, studio, edit('prize'));
    await page.getByText('was changed outside the studio').waitFor();
    const before = text();
    await page.getByRole('button', { name: 'Use the file as it is' }).click();
    await page.getByText('was changed outside the studio').waitFor({ state: 'detached' });
    assert.equal(text(), before);
    fine();
  });

  test('a file that became wrong outside is told, and can be mended here', async () => {
    const good = text();
    writeFileSync(file(), good.replace('name = "prize"', 'name = "free"'));
    await load(page, studio, edit('work'));
    await page.locator('.faults').getByText('duplicate source name "free"').waitFor();
    writeFileSync(file(), good.replace('classes = [', 'classes = '));
    await load(page, studio, 'edit');
    await page.locator('.faults li').first().waitFor();
    await change('classes = "ham"', 'classes = ["ham"');
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved to').waitFor();
    assert.equal(text(), good);
    fine();
  });

  test('data that changed is not mixed with older votes', async () => {
    const own = rules();
    const server = await start(own, ['--sources', 'sources.toml'], 'mails.csv');
    const sheet = await open(chromium, server);
    await go(sheet, server, edit('free'));
    const later = new Date(Date.now() + 5000);
    utimesSync(join(own, 'mails.csv'), later, later);
    await change('"win"', '"winner"', sheet);
    await sheet.getByText('the data changed since the studio started').waitFor();
    await server.stop();
  });
});

describe('safety', () => {
  test('hostile names are text', async () => {
    await load(page, studio, edit(HOSTILE));
    await area().waitFor();
    assert.equal(await page.evaluate(() => window.hurt), undefined);
    assert.equal(await page.locator('main img, main script').count(), 0);
    assert.ok((await page.locator('h2.title').innerText()).startsWith('<img src=x onerror='));
    await change('"<b>"', '"<b>", "<script>window.hurt=1</script>", "report"');
    await flipped().waitFor();
    assert.equal(await page.evaluate(() => window.hurt), undefined);
    assert.equal(await page.locator('main img, main script, main .moves b img').count(), 0);
    await page.getByRole('button', { name: 'Revert' }).click();
    fine();
  });

  test('votes that the sources made before can be edited over their texts', async () => {
    const own = rules();
    execFileSync(process.env.CONSILIENCE, ['--quiet', 'apply', 'sources.toml', 'mails.csv', '-o', 'votes.csv'], { cwd: own });
    const server = await start(own, ['--text', 'mails.csv', '--sources', 'sources.toml'], 'votes.csv');
    const sheet = await open(chromium, server);
    await load(sheet, server, edit('free'));
    await area(sheet).waitFor();
    await change('"free", "win"', '"free", "win", "meeting"', sheet);
    await flipped(sheet).waitFor();
    await sheet.getByText('sources run again over 300 items').waitFor();
    await sheet.locator('.moves .items li', { hasText: 'meeting' }).first().waitFor();
    assert.deepEqual(sheet.problems, []);
    await server.stop();
  });

  test('there is no Edit without a file of sources', async () => {
    const own = rules();
    const server = await start(own, [], 'votes.csv');
    const sheet = await open(chromium, server);
    await sheet.getByRole('link', { name: 'Compare' }).waitFor();
    assert.equal(await sheet.getByRole('link', { name: 'Edit', exact: true }).count(), 0);
    await go(sheet, server, 'edit');
    await sheet.getByText('There is no such screen.').waitFor();
    const status = await sheet.evaluate(() => fetch('/api/edit').then((answer) => answer.status));
    assert.equal(status, 404);
    await server.stop();
  });

  test('requests are limited and need an origin', async () => {
    const send = (body, headers = {}) => page.evaluate(([body, headers]) => fetch('/api/edit/save', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }).then((answer) => answer.status), [body, headers]);
    assert.equal(await send(JSON.stringify({ base: 'x', source: null, text: '' })), 409);
    assert.equal(await send(JSON.stringify({ base: 'x', source: null, text: 'x'.repeat(600_000) })), 400);
    assert.equal(await send('x'.repeat(5_000_000)), 413);
    const outside = await fetch(`${studio.origin}/api/edit/save`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    assert.equal(outside.status, 403);
    page.problems.length = 0;
  });

  test('programs run only as the file named them at the start', async () => {
    const own = rules();
    const judge = '\n[[source]]\nname = "judge"\ncommand = ["sh", "-c", "while read line; do echo spam; done"]\n';
    const path = join(own, 'sources.toml');
    writeFileSync(path, readFileSync(path, 'utf8') + judge);
    const server = await start(own, ['--sources', 'sources.toml', '--allow-commands', '--no-answer-cache'], 'mails.csv');
    const sheet = await open(chromium, server);
    await go(sheet, server, edit('judge'));
    await change('echo spam', 'touch hurt; echo spam', sheet);
    await sheet.locator('.faults').getByText('programs are never taken from this page').waitFor();
    await sheet.getByRole('button', { name: 'Revert' }).click();
    await change('name = "judge"', 'name = "judge"\nbatch = 50', sheet);
    await flipped(sheet).waitFor();
    assert.throws(() => readFileSync(join(own, 'hurt')));
    await server.stop();
  });
});

describe('looks', () => {
  test('the keyboard is enough', async () => {
    await load(page, studio, 'edit');
    await area().waitFor();
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const focused = () => page.evaluate(() => document.activeElement.querySelector('b')?.textContent);
    assert.equal(await focused(), 'free');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'prize');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'prize' }).waitFor();
    // One stop for the list: the next one is the rule.
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'rule');
    fine();
  });

  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 390]) {
      test(`no accessibility violation, ${scheme}, ${width} wide`, async () => {
        const sheet = await open(chromium, studio, { colorScheme: scheme, viewport: { width, height: 900 } });
        const look = async (name) => {
          const { violations } = await new AxeBuilder({ page: sheet }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze();
          assert.deepEqual(violations.map((one) => `${name}: ${one.id}: ${one.nodes[0].html}`), []);
          const wide = await sheet.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.ok(wide <= 0, `${name} is ${wide} pixels too wide`);
          await sheet.screenshot({ path: join(PICTURES, `${name}-${scheme}-${width}.png`), fullPage: true });
        };
        await load(sheet, studio, edit('free'));
        await area(sheet).waitFor();
        await look('edit');
        await change('"win"', '"win", "report"', sheet);
        await flipped(sheet).waitFor();
        await look('edit-moves');
        await change('"report"', '"report', sheet);
        await sheet.locator('.faults').waitFor();
        await look('edit-faults');
        await load(sheet, studio, 'edit?whole=1');
        await area(sheet).waitFor();
        await look('edit-whole');
        await sheet.context().close();
      });
    }
  }
});
