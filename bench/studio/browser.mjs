// How long a reader waits: from a click until the browser has drawn what was asked for.

import * as hands from './hands.mjs';

const HANDS = Object.values(hands).join('\n');
const VIEWPORT = { width: 1280, height: 900 };

/** Opens the studio `rounds` times in a browser that knows nothing of it. */
export async function firstPaint(chromium, studio, rounds) {
  const [painted, complete] = [[], []];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const context = await chromium.newContext({ viewport: VIEWPORT });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => {
        if (document.querySelector('.headline') && document.querySelector('.graph svg') && document.querySelector('.plot rect')) window.complete = performance.now();
        else requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(studio.address);
    await page.waitForFunction(() => window.complete);
    const found = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      complete: window.complete,
      bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter((entry) => !entry.name.includes('/api/')).reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    }));
    painted.push(found.painted);
    complete.push(found.complete);
    bytes = found.bytes;
    await context.close();
  }
  return { painted, complete, bytes };
}

/** Runs in the page: does `act`, waits until `look` has changed and is drawn, and says what that took. */
async function watched(act, look, round) {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const before = look();
  performance.clearResourceTimings();
  const began = performance.now();
  await act(round);
  for (let now = look(); !now || now === before; now = look()) {
    if (performance.now() - began > 30_000) return { late: `still ${JSON.stringify(before)}` };
    await frame();
  }
  // The frame that shows it is drawn before the next one begins.
  await frame();
  const page = performance.now() - began;
  const requests = performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/api/'));
  return { page, server: Math.max(0, ...requests.map((entry) => entry.responseEnd - entry.requestStart)) };
}

/** Does each of `uses` `rounds` times, each time with something else. */
export async function measure(chromium, studio, uses, rounds) {
  const context = await chromium.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const quiet = quietness(page);
  await page.goto(studio.address);
  await page.locator('.headline').waitFor();
  const measured = [];
  for (const { name, at, act, look } of uses) {
    const one = { name, page: [], server: [] };
    for (let round = 0; round < rounds; round++) {
      // By way of another screen: what the use before left behind (a slider between two places, say) is gone then.
      await page.goto(`${studio.origin}/#/overview`);
      await quiet();
      await page.goto(`${studio.origin}/#/${typeof at === 'function' ? at(round) : at}`);
      await quiet();
      const found = await page.evaluate(`(() => { ${HANDS} return (${watched})(${act}, ${look}, ${round}); })()`);
      if (found.late) throw new Error(`${name}, round ${round}: the page does not change: ${found.late}`);
      one.page.push(found.page);
      one.server.push(found.server);
      await quiet();
    }
    measured.push(one);
  }
  await context.close();
  return measured;
}

/** Resolves when no request has been under way for a while. */
function quietness(page) {
  let [open, changed] = [0, Date.now()];
  const step = (by) => () => { open += by; changed = Date.now(); };
  page.on('request', step(1));
  page.on('requestfinished', step(-1));
  page.on('requestfailed', step(-1));
  return async () => {
    changed = Date.now();
    while (open > 0 || Date.now() - changed < 120) await new Promise((resolve) => setTimeout(resolve, 20));
  };
}
