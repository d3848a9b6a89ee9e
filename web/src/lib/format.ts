import type { Flag, Report } from './types';

export const thousands = (number: number): string => number.toLocaleString('en-US');

export const counted = (number: number, one: string, many: string): string => `${thousands(number)} ${number === 1 ? one : many}`;

/** A share in per cent; never rounded to all or nothing. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined) return '–';
  const value = 100 * share;
  if (value > 0 && value < 9.95) return `${value.toFixed(1)}%`;
  if (value < 100 && value >= 99.5) return `${Math.min(value, 99.9).toFixed(1)}%`;
  return `${value.toFixed(0)}%`;
}

/** A share with one digit, for shares that are compared. */
export const tenths = (share: number): string => `${(100 * share).toFixed(1)}%`;

export const oneDigit = (number: number): string => number.toFixed(1).replace(/\.0$/, '');

export const signed = (number: number): string => `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(2)}`;

export const short = (text: string, most: number): string => {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
};

/** A name without marks that would turn the direction of what stands next to it. Texts stand alone and keep theirs. */
export const plain = (name: string): string => name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/** A report whose names can stand next to anything. */
export const readable = (report: Report): Report => ({
  ...report,
  table: plain(report.table),
  classes: report.classes.map((one) => ({ ...one, name: plain(one.name) })),
  sources: report.sources.map((one) => ({ ...one, name: plain(one.name), flags: one.flags.map((flag) => ({ ...flag, of: flag.of && plain(flag.of) })) })),
  notes: report.notes.map(plain),
});

export function flagText(flag: Flag): string {
  const share = flag.share ? ` (${percent(flag.share)})` : '';
  switch (flag.kind) {
    case 'copies': return `exact copy of ${flag.of}`;
    case 'mirrors': return `mirror image of ${flag.of}`;
    case 'repeats': return `repeats ${flag.of}${share}`;
    case 'silent': return 'never votes';
    case 'at_chance': return 'no better than chance';
    case 'assumed': return 'accuracy assumed, not measured';
    default: return flag.kind;
  }
}

export const methodTitle: Record<string, string> = {
  majority: 'Majority vote',
  independent: 'Independent sources',
  model: 'With structure',
  learned: 'Structure as learned',
};
