// Every use of the screens: where the reader is, what they do, and what then changes. Each round asks for something else.

import { click, count, go, list, model, press, save, saved, set, text, use } from './hands.mjs';

export const interactions = [
  { name: 'open Sources', at: 'overview', act: () => go('sources'), look: () => count('.sources tbody tr') },
  { name: 'sort sources', at: 'sources', act: () => click('.sources th:nth-child(4) button'), look: () => text('.sources tbody') },
  { name: 'search sources', at: 'sources', act: (round) => set(document.querySelector('input[type=search]'), `s${round}`, 'input'), look: () => count('.sources tbody tr') },
  { name: 'open a source', at: 'sources', act: (round) => go(`sources/${round + 3}`), look: () => text('.items li') },

  { name: 'open Structure', at: 'overview', act: () => go('structure'), look: () => count('.pairs tbody tr') },
  { name: 'move the slider', at: 'structure', act: (round) => set(document.querySelector('input[type=range]'), 0.1 + 0.1 * round, 'input'), look: () => text('.slider output') },
  { name: 'choose a pair', at: 'structure', act: (round) => click('.pairs a', round), look: () => count('.pairbox .items li') },
  { name: 'choose a line of the graph', at: 'structure', act: (round) => click('.graph .pair', round), look: () => count('.pairbox .items li') },

  { name: 'open Items', at: 'overview', act: () => go('items'), look: list },
  { name: 'next page', at: (round) => `items?page=${round}`, act: () => click('.pages button:last-child'), look: list },
  { name: 'a page far down', at: 'items', act: (round) => go(`items?page=${15_000 + round}`), look: list },
  { name: 'least sure first', at: 'items', act: () => use('Order', 'unsure'), look: list },
  { name: 'surest first, a page far down', at: 'items?sort=sure', act: (round) => go(`items?sort=sure&page=${9000 + round}`), look: list },
  { name: 'by label', at: 'items', act: (round) => use('Label', 1 + (round % 2)), look: list },
  { name: 'by confidence', at: 'items', act: (round) => use('Confidence', 0.55 + 0.05 * round), look: list },
  { name: 'by confidence, least sure first', at: 'items?sort=unsure', act: (round) => use('Confidence', 0.55 + 0.05 * round), look: list },
  { name: 'in conflict', at: 'items', act: () => use('in conflict'), look: list },
  { name: 'by source', at: 'items', act: (round) => use('Source', 10 + round), look: list },
  { name: 'by source, against the label', at: (round) => `items?source=${round}`, act: () => use('voted against'), look: list },
  { name: 'labelled differently by majority', at: 'items', act: () => use('Labelled', 'majority'), look: list },
  { name: 'labelled differently by independent', at: 'items', act: () => use('Labelled', 'independent'), look: list },
  { name: 'search a frequent word', at: 'items', act: (round) => use('Search', ['prize', 'Winter', 'river', 'LOAN', 'signal'][round % 5]), look: list },
  { name: 'search two words', at: 'items', act: (round) => use('Search', ['prize money', 'winter river', 'river garden', 'loan ticket', 'signal lunch'][round % 5]), look: list },
  { name: 'search one item', at: 'items', act: (round) => use('Search', `needle${9870 + round}x`), look: list },
  { name: 'search what is not there', at: 'items', act: (round) => use('Search', `no such thing ${round}`), look: list },
  { name: 'search among conflicts of a source', at: 'items?disputed=true&source=7&sort=sure', act: (round) => use('Search', ['prize', 'Winter', 'river', 'LOAN', 'signal'][round % 5]), look: list },

  { name: 'open an item', at: (round) => `items?page=${40 * round}`, act: () => click('.items a'), look: () => count('.waterfall .plot rect') },
  { name: 'without a source', at: (round) => `items/${7919 * round}`, act: () => click('.two tbody button'), look: () => text('.whatif') },
  { name: 'next item', at: (round) => `items/${7919 * round}`, act: () => click('.pages a:last-child'), look: () => text('h2.title') },

  { name: 'open Label', at: 'overview', act: () => go('label'), look: () => text('.asked .title') },
  { name: 'answer', at: 'label', act: () => press('1'), look: () => text('.asked .title') },
  { name: 'skip', at: 'label', act: () => press('s'), look: () => text('.asked .title') },
  { name: 'undo', at: 'label', act: () => press('u'), look: () => text('.asked .title') },

  { name: 'open Compare', at: 'overview', act: () => go('compare'), look: () => text('.cross tbody') },
  { name: 'compare with independent sources', at: 'compare', act: () => use('Compare', 'independent'), look: () => text('.cross tbody') },

  { name: 'start saving labels', at: 'overview', act: () => save('labels.csv'), look: saved },
  { name: 'start saving the structure', at: 'overview', act: () => save('structure.json'), look: saved },
  { name: 'start saving the model', at: 'overview', act: () => save('model.json'), look: saved },
  { name: 'start saving the report', at: 'overview', act: () => save('report.html'), look: saved },
  { name: 'open Overview', at: 'items', act: () => go('overview'), look: () => count('.plot rect') },
];

export const refits = [
  { name: 'let the slider go', at: 'structure', act: (round) => set(document.querySelector('input[type=range]'), 0.2 + 0.06 * round, 'change'), look: model },
  { name: 'forbid a pair', at: (round) => `structure?link=${2 * round}-${2 * round + 1}`, act: () => click('.pairbox button', 1), look: model },
  { name: 'count a pair', at: (round) => `structure?link=${30 + round}-${40 + round}`, act: () => click('.pairbox button', 0), look: model },
];
