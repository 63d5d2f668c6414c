import type { TestWorkspace } from '../items/test-workspace'

/** The titles of the items in the sandbox that contain "Zebra", each as often as it is there. */
export async function listCreated({ sandbox }: Pick<TestWorkspace, 'sandbox'>): Promise<string[]> {
  const send = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${sandbox.url}${path}?api-version=7.1`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await response.json()) as any
  }
  const query = "SELECT [System.Id] FROM WorkItems WHERE [System.Title] CONTAINS 'Zebra'"
  const { workItems } = await send('/Harbor/_apis/wit/wiql', { query })
  if (workItems.length === 0) return []
  const ids = workItems.map(({ id }: { id: number }) => id)
  const { value } = await send('/_apis/wit/workitemsbatch', { ids, fields: ['System.Id', 'System.Title'] })
  return value.map(({ fields }: { fields: Record<string, string> }) => fields['System.Title']).sort()
}
