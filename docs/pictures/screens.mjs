// Takes the pictures of the report and the studio that README and docs show: make pictures.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browser, load, open, start } from '../../web/tests/studio.js';

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
const TABLE = 'judges-panel.csv';
const ANSWERS = 50;
copyFileSync(join(here, TABLE), join(folder, TABLE));
const [head, ...rows] = readFileSync(join(here, TABLE), 'utf8').trim().split('\n').map((line) => line.split(','));
const truth = rows.map((row) => row[head.indexOf('better')]);

const chromium = await browser();

execFileSync(process.env.CONSILIENCE, ['--quiet', 'report', TABLE, '--gold', 'better', '-o', 'report.html'], { cwd: folder });
const report = await (await chromium.newContext({ viewport: { width: 1160, height: 880 } })).newPage();
await report.goto(`file://${join(folder, 'report.html')}`);
await report.screenshot({ path: join(here, 'report.png') });

const studio = await start(folder, ['--gold', 'better', '--answers', 'answers.csv'], TABLE);
const page = await open(chromium, studio, { viewport: { width: 1280, height: 800 } });
await load(page, studio, 'structure?link=0-5');
await page.locator('.cross').waitFor();
await page.screenshot({ path: join(here, 'studio-structure.png') });

await load(page, studio, 'label');
for (let given = 1; given <= ANSWERS; given++) {
  const item = Number(await page.locator('.asked .title').innerText());
  await page.keyboard.press(truth[item] === '0' ? '1' : '2');
  await page.getByText(new RegExp(`\\b${given} answers?\\.`)).waitFor();
}
await page.screenshot({ path: join(here, 'studio-label.png') });

await studio.stop();
await chromium.close();
