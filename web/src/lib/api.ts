// Requests to the studio. Every one names the view, so that readers of different views do not get in each other's way.

import { route } from './route.svelte';

/** A request that was refused, and the status that it was refused with. */
export class Refused extends Error {
  constructor(message: string, readonly status: number) {
    super(message);
  }
}

async function answer<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const text = await response.text();
  let why = text;
  try {
    why = (JSON.parse(text) as { error: string }).error;
  } catch {
    // What is not JSON is shown as it is.
  }
  throw new Refused(why || `the studio answered ${response.status}`, response.status);
}

type Params = Record<string, string | number | boolean | null | undefined>;

/** The address of `path` under the view of the page. */
function address(path: string, params: Params = {}): string {
  const query = new URLSearchParams(route.view);
  for (const [key, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '' && value !== false) query.set(key, String(value));
  }
  const text = query.toString();
  return `/api/${path}${text ? `?${text}` : ''}`;
}

export async function get<T>(path: string, params: Params = {}): Promise<T> {
  return answer<T>(await fetch(address(path, params)));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return answer<T>(await fetch(address(path), { method: 'POST', headers, body: JSON.stringify(body) }));
}

export const exported = (file: string): string => address(`export/${file}`);
