import { type AdapterDescription, ALL_LINKS, USUAL_PROPERTIES } from '../services/adapter'

export const azureDevOps = {
  kind: 'azure-devops',
  product: 'Azure DevOps',
  prefix: 'ado',
  hasHost: () => true,
  capabilities: {
    textFormat: 'html',
    linkKinds: ALL_LINKS,
    properties: [...USUAL_PROPERTIES, 'priority', 'areaPath', 'acceptanceCriteria'],
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
    listsChanges: true,
    testsRevisions: true,
  },
  questions: {
    url: 'URL with its organization (https://dev.azure.com/organization):',
    project: 'Project (Enter for the only one that the token can read):',
    token: 'Personal access token, to read and write work items',
  },
  needsProject: false,
  namesProject: () => false,
  tokenCommand: (url) => (isHosted(url) ? `az account get-access-token --resource ${ENTRA_RESOURCE}` : null),
  needsAccount: () => 'never',
} as const satisfies AdapterDescription

/** Azure DevOps as a resource of Entra ID, whatever the organization. */
export const ENTRA_RESOURCE = '499b84ac-1321-427f-aa17-267ca6975798'

/** Whether the address is of the hosted service, whose users sign in with Entra ID. */
export function isHosted(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase() : ''
  return host === 'dev.azure.com' || host.endsWith('.visualstudio.com')
}
