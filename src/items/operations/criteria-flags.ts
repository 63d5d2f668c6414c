import type { CliBinding } from '../../kernel'

/** The criteria of a filter, one object over HTTP, as flags. */
export const criteriaFlags = {
  flags: { criteria: false },
  extraFlags: [
    { flag: '--state <text>', about: 'only items in this state (any case)', standsFor: ['criteria'] },
    { flag: '--assigned-to <name>', about: 'only items of this person; @me is STUDIO_USER' },
    { flag: '--search <words>', about: 'only items whose ID or texts hold all these words' },
  ],
  toInput({ state, assignedTo, search, ...typed }) {
    const criteria = Object.fromEntries(
      Object.entries({ state, assignedTo, search }).filter(([, given]) => given !== undefined),
    )
    return Object.keys(criteria).length > 0 ? { ...typed, criteria } : typed
  },
} satisfies Partial<CliBinding>
