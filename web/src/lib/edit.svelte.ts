// What other screens know of the Edit screen.

class Edit {
  /** Whether the studio was started with a file of sources. */
  enabled = $state(false);
  /** Where the reader was, so that a change is still there when they come back. */
  address = $state('');
  /** Changes that were not saved, by the name of the source; that of the whole file has no name. */
  drafts = $state<Record<string, string>>({});
  /** How often sources were saved: each time, everything is another table. */
  saves = $state(0);
}

export const edit = new Edit();
