import { type AdapterDescription, ALL_LINKS, USUAL_PROPERTIES } from '../services/adapter'

export const linear = {
  kind: 'linear',
  product: 'Linear',
  prefix: 'linear',
  hasHost: (host) => host === 'linear.app' || host.endsWith('.linear.app'),
  capabilities: {
    textFormat: 'markdown',
    linkKinds: ALL_LINKS,
    properties: [...USUAL_PROPERTIES, 'priority'],
    parts: [
      'attachments',
      'uploads',
      'transitions',
      'deletion',
      'restoring',
      'commentEditing',
      'queries',
      'webLinks',
      'webLinkEditing',
    ],
    listsChanges: false,
    testsRevisions: false,
  },
  questions: {
    url: 'URL of the team (https://linear.app/workspace/team/KEY):',
    project: 'Key of the team, with which its issues begin:',
    token: 'Personal API key, to read and write issues',
  },
  needsProject: true,
  namesProject: (url) => URL.canParse(url) && /^\/[^/]+\/team\/[^/]/.test(new URL(url).pathname),
  tokenCommand: () => null,
  needsAccount: () => 'never',
} as const satisfies AdapterDescription
