import { describe, expect, it } from 'vitest'
import { resolveInput } from '../../../src/tracker/jira/issue-input'
import { never } from '../azure-devops/fixtures'

describe('the person that an issue is assigned to', () => {
  it.each(['cloud', 'server'] as const)(
    'is refused without an account ID, which would unassign the issue: %s',
    async (deployment) => {
      const parts: any = {
        metadata: { forReading: async () => ({ deployment, custom: {}, further: [] }) },
        client: { loadTexts: async () => ({}), project: { key: 'HAR' }, get: async () => [{ displayName: 'Ines' }] },
      }
      const problem = 'Jira has no account "Ines" that issues can be assigned to.'
      expect(await resolveInput({ assignee: 'Ines' }, { listScreen: async () => null }, parts, never)).toEqual({
        problem,
      })
    },
  )
})
