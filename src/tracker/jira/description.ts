import { type AdapterDescription, ALL_LINKS, USUAL_PROPERTIES } from '../services/adapter'

export const jira = {
  kind: 'jira',
  product: 'Jira',
  prefix: 'jira',
  hasHost: (host) => isCloud(host) || host.startsWith('jira.'),
  capabilities: {
    textFormat: 'markdown',
    linkKinds: ALL_LINKS,
    properties: [...USUAL_PROPERTIES, 'priority'],
    parts: [
      'attachments',
      'uploads',
      'transitions',
      'deletion',
      'commentEditing',
      'queries',
      'webLinks',
      'webLinkEditing',
      'worklogs',
    ],
    listsChanges: true,
    testsRevisions: false,
  },
  questions: {
    url: 'URL of the site (https://site.atlassian.net):',
    project: 'Key of the project (ABC for issues such as ABC-7):',
    token: 'API token of Jira Cloud, or personal access token of Jira Data Center',
  },
  needsProject: true,
  namesProject: () => false,
  tokenCommand: () => null,
  /** On Jira Cloud, a token works only together with its account. */
  needsAccount: (url) => (URL.canParse(url) && isCloud(new URL(url).hostname.toLowerCase()) ? 'always' : 'maybe'),
} as const satisfies AdapterDescription

function isCloud(host: string): boolean {
  return host.endsWith('.atlassian.net')
}
