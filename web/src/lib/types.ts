// The report of the core, as its JSON has it.

export interface Interval { estimate: number; low: number; high: number }

export interface Flag { kind: string; of?: string; share?: number | null }

export interface Source {
  name: string; polarity: string[]; votes: number; coverage: number; overlaps: number; conflicts: number;
  accuracy: number | null; interval: [number, number] | null; weight: number; discount: number;
  gold_accuracy?: number | null; group: number | null; flags: Flag[];
}

export type LinkKind = 'copy' | 'mirror' | 'once' | 'repeats' | 'linked';

export interface Link {
  sources: [number, number]; kind: LinkKind; share: number | null; weight: number | null; z: number | null; types: string[];
  /** How one is declared from the other, or both from a third. */
  explanation?: string;
}

export interface Bin { low: number; high: number; items: number; judged: number; confidence: number | null; right: number | null }

export interface Scores { judged: number; accuracy: number; log_loss: number; brier: number; calibration_error: number }

export interface Method { name: 'majority' | 'independent' | 'model'; labelled: number; tied: number; differs: number; confidence: number; scores?: Scores }

export interface Report {
  table: string;
  headline: {
    items: number; sources: number; voting: number; classes: number; votes: number; patterns: number; effective_votes: number;
    repeating: number; votes_per_item: number; coverage: number; conflicts: number; differs_from_majority: number;
    confidence: number; items_with_gold: number | null;
  };
  classes: { name: string; votes: number; vote_share: number; label_share: number }[];
  sources: Source[];
  links: Link[];
  groups: number[][];
  agreement: { order: number[]; left_out: number; kappa: (number | null)[][] } | null;
  confidence: Bin[];
  comparison: { methods: Method[] };
  settings: { name: string; value: string }[];
  notes: string[];
}

export interface ItemRow {
  item: number; name: string; text: string; label: number | null; confidence: number; majority: number | null;
  gold: number | null; votes: [number, number][];
}

export interface ItemPage { total: number; page_size: number; items: ItemRow[] }

export interface Step { source: number; vote: number; adds: number; total: number; without: number[] }

export interface ItemAnswer extends ItemRow {
  cells: [string, string][];
  probabilities: [number[], number[], number[]];
  waterfall: {
    label: number; against: number; probabilities: number[]; prior: number; steps: Step[]; answers?: number; log_odds: number;
  };
}

export interface PairAnswer { sources: [number, number]; counts: number[][]; alike_items: ItemRow[]; apart_items: ItemRow[] }

export interface SourceAnswer { against: number; disputed: ItemRow[] }

export interface Flips { counts: number[][]; flipped: number }

export interface Certificate {
  answers: number; items: number; accuracy: Interval | null; macro_f1: Interval | null; shares: Record<string, Interval>;
}

export interface LabelState {
  enabled: boolean; answered: number; skipped: number; can_undo: boolean;
  next: { item: number; name: string; cells: [string, string][] } | null;
  certificate: Certificate | null; curve: (Interval | null)[];
}

export interface Shares { coverage: number; conflicts: number }

export interface MovedLink { sources: string[]; kind: string }

export interface Moved {
  items: number; before: Shares | null; after: Shares;
  sources: { name: string; before: Shares | null; after: Shares; moved: boolean }[];
  removed: string[]; new_links: MovedLink[]; gone_links: MovedLink[];
  labels: {
    flipped: number; flips: { from: string | null; to: string | null; items: number }[];
    examples: { item: number; from: string | null; to: string | null }[];
  } | null;
}

export interface Fault { line: number; column: number; message: string }

export interface EditState {
  file: string; base: string; faults: Fault[]; shown: boolean; blocks: boolean; whole: boolean;
  sources: { name: string; kind: string; coverage: number | null; conflicts: number | null }[];
  items: number; tried: number;
}

export interface EditText { base: string; text: string; line: number }

export interface Attempt { stopped: boolean; faults: Fault[]; rerun: number; moved: Moved | null; problem: string | null; items: ItemRow[] }
