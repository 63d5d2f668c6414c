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
  needsAccount: () => 'never',
} as const satisfies AdapterDescription
