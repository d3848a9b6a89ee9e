// Where the reader is. All of it is in the address, so that a view can be shared and the back button works.

/** Parameters of the view itself, which go from screen to screen. */
const VIEW = ['share', 'accept', 'forbid'];

class Route {
  #hash = $state(location.hash);

  constructor() {
    addEventListener('hashchange', () => (this.#hash = location.hash));
  }

  path: string[] = $derived(this.#parts()[0]);
  params: URLSearchParams = $derived(this.#parts()[1]);
  screen: string = $derived(this.path[0] || 'overview');
  /** The parameters of the view as a query. */
  view: string = $derived(this.#view());

  #parts(): [string[], URLSearchParams] {
    const [path, query] = this.#hash.replace(/^#\/?/, '').split('?');
    return [path.split('/').filter(Boolean), new URLSearchParams(query ?? '')];
  }

  #view(): string {
    const kept = new URLSearchParams();
    for (const key of VIEW) {
      const value = this.params.get(key);
      if (value) kept.set(key, value);
    }
    return kept.toString();
  }

  /** The address of another screen under the same view. */
  to(path: string, changes: Record<string, string | number | null | undefined> = {}): string {
    const params = new URLSearchParams(this.view);
    for (const [key, value] of Object.entries(changes)) {
      if (value === null || value === undefined || value === '') params.delete(key);
      else params.set(key, String(value));
    }
    const query = params.toString();
    return `#/${path}${query ? `?${query}` : ''}`;
  }

  /** Changes parameters of this screen; without a step in the history where `quietly`. */
  set(changes: Record<string, string | number | null | undefined>, quietly = true): void {
    const params = new URLSearchParams(this.params);
    for (const [key, value] of Object.entries(changes)) {
      if (value === null || value === undefined || value === '') params.delete(key);
      else params.set(key, String(value));
    }
    const query = params.toString();
    const hash = `#/${this.path.join('/')}${query ? `?${query}` : ''}`;
    if (hash === location.hash) return;
    if (quietly) {
      history.replaceState(null, '', hash);
      this.#hash = hash;
    } else {
      location.hash = hash;
    }
  }
}

export const route = new Route();
