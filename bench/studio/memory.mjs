// Resident memory of a process, as Linux tells it.

import { readFileSync } from 'node:fs';

/** Megabytes that process `pid` has in memory. */
export function memory(pid) {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(kilobytes?.[1] ?? 0) / 1000);
}
