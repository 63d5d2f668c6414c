import { describe, expect, it } from 'vitest'
import { findTemplate } from '../../../src/assistant/services/prompt-templates'

const builtIn = { templateFolder: '/nowhere' }

describe('a prompt template', () => {
  it('is found by its ID and by its name, in any letter case', async () => {
    for (const wanted of ['story', 'Rewrite the story', 'rewrite the STORY'])
      expect(await findTemplate(builtIn, wanted)).toMatchObject({ id: 'story' })
  })

  it('is not found by part of its name', async () => {
    await expect(findTemplate(builtIn, 'Rewrite')).rejects.toThrow('There is no prompt "Rewrite".')
  })
})
