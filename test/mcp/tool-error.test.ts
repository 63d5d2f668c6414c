import { expect, it } from 'vitest'
import { StudioError } from '../../src/kernel'
import { loadActions } from '../../src/mcp/actions'
import { toolError } from '../../src/mcp/tool-error'

it('a text that could not be saved is told with the refusal, for an agent has no file to find it in', async () => {
  const actions = await loadActions()
  const refine = actions.find(({ id }) => id === 'drafts.refine')!
  const refusal = new StudioError('stale_revision', 'Draft 1 was changed meanwhile.', {
    details: [{ path: 'description', message: 'was refined, and the text is not saved', unsaved: 'Long.\n\nShort.' }],
  })
  expect(toolError(refusal, refine, actions).content).toEqual([
    { type: 'text', text: expect.stringContaining('is not saved:\nLong.\n\nShort.') },
  ])
})
