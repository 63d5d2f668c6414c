import { type AdapterDescription, ALL_LINKS, USUAL_PROPERTIES } from '../services/adapter'

export const gitlab = {
  kind: 'gitlab',
  product: 'GitLab',
  prefix: 'gl',
  hasHost: (host) => host === 'gitlab.com' || host.startsWith('gitlab.'),
  capabilities: {
    textFormat: 'markdown',
    linkKinds: ALL_LINKS,
    properties: USUAL_PROPERTIES,
    parts: ['attachments', 'uploads', 'transitions', 'deletion', 'commentEditing', 'queries', 'webLinks', 'worklogs'],
    listsChanges: false,
    testsRevisions: false,
  },
  questions: {
    url: 'URL of the project (https://gitlab.com/group/project):',
    project: 'Path of the project (group/project):',
    token: 'Personal, group or project access token with the scope api',
  },
  needsProject: true,
  /** The address of the project: `https://gitlab.com/group/project`. */
  namesProject: (url) => URL.canParse(url) && new URL(url).pathname.split('/').filter(Boolean).length > 1,
  tokenCommand(url) {
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    // The host becomes a word of a command line. glab has no `auth token`; its configuration has the token of each host.
    return /^[a-z0-9.-]+$/i.test(host) ? `glab config get token --host ${host}` : null
  },
  needsAccount: () => 'never',
} as const satisfies AdapterDescription
