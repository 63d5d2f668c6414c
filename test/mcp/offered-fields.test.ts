import { expect, it } from 'vitest'
import { isOffered, type TrackerKind } from '../../src/tracker'
import { openToolDesk } from './tool-desk'

it('the tools have no fields that no tracker of the settings can do', async () => {
  const listFields = async (kinds: readonly TrackerKind[]) => {
    const { client } = await openToolDesk({ isOffered: (capability) => isOffered(capability, kinds) })
    const { tools } = await client.listTools()
    const described = await client.callTool({ name: 'describe_actions', arguments: { actions: ['filters.save'] } })
    const find = (tool: string) => tools.find(({ name }) => name === tool)!
    return {
      change: Object.keys(find('update_work_items').inputSchema.properties!),
      read: Object.keys(find('read_work_items').inputSchema.properties!),
      filters: /^Input: (.*)$/m.exec((described.content as any)[0].text)![1]!,
      about: find('update_work_items').description,
    }
  }
  const onGitHub = await listFields(['github'])
  expect(onGitHub.change).toContain('predecessorIds')
  expect(onGitHub.change).not.toContain('relatedIds')
  expect(onGitHub.about).not.toContain('relatedIds')
  expect(onGitHub.read).not.toContain('area')
  expect(onGitHub.filters).not.toContain('"area"')
  const onBoth = await listFields(['github', 'azure-devops'])
  expect(onBoth.change).toContain('relatedIds')
  expect(onBoth.read).toContain('area')
  expect(onBoth.filters).toContain('"area"')
})
