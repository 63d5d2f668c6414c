import { type AdapterDescription, USUAL_PROPERTIES } from '../services/adapter'

export const github = {
  kind: 'github',
  product: 'GitHub',
  prefix: 'gh',
  hasHost: (host) =>
    host === 'github.com' || host === 'ghe.com' || host.endsWith('.ghe.com') || host.startsWith('github.'),
  capabilities: {
    textFormat: 'markdown',
    linkKinds: ['parent', 'child', 'predecessor', 'successor'],
    properties: USUAL_PROPERTIES,
    // The API has no upload of files. Pull requests, commits and branches link themselves to issues.
    parts: ['attachments', 'transitions', 'deletion', 'commentEditing', 'queries', 'webLinks'],
    listsChanges: false,
    testsRevisions: false,
  },
  questions: {
    url: 'URL of the repository (https://github.com/owner/repository):',
    project: 'Name of the repository:',
    token: 'Personal access token, to read and write issues',
  },
  needsProject: true,
  /** The address of the repository: `https://github.com/owner/repository`. */
  namesProject: (url) => URL.canParse(url) && new URL(url).pathname.split('/').filter(Boolean).length > 1,
  tokenCommand(url) {
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    // The host becomes a word of a command line.
    if (!/^[a-z0-9.-]+$/i.test(host)) return null
    // Without the host, gh prints the token of the only server that it is signed in to, which may be another one.
    return `gh auth token --hostname ${host}`
  },
  needsAccount: () => 'never',
} as const satisfies AdapterDescription
