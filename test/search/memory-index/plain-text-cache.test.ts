import { describe, expect, it } from 'vitest'
import { PlainTextCache } from '../../../src/search/memory-index/memory-index-provider'
import { toEntity } from '../../../src/search/services/find-searchables'

function counted() {
  const worked: string[] = []
  const plainTexts = new PlainTextCache({
    html: (text) => {
      worked.push(text)
      return text.replace(/<[^>]*>/g, '')
    },
    markdown: (text) => {
      worked.push(text)
      return text.replaceAll('*', '')
    },
  })
  return { plainTexts, worked }
}

describe('plain texts', () => {
  it('are computed once while they are in use, by the rules of each format', () => {
    const { plainTexts, worked } = counted()
    const text = '<b>*dock*</b>'
    for (let round = 0; round < 3; round++) {
      plainTexts.nextRound()
      expect(plainTexts.of({ format: 'html', text })).toBe('*dock*')
      expect(plainTexts.of({ format: 'markdown', text })).toBe('<b>dock</b>')
    }
    expect(worked).toEqual([text, text])
  })

  it('are removed after a round that does not use them', () => {
    const { plainTexts, worked } = counted()
    plainTexts.of({ format: 'html', text: 'dock' })
    plainTexts.nextRound()
    plainTexts.nextRound()
    plainTexts.of({ format: 'html', text: 'dock' })
    expect(worked).toHaveLength(2)
  })
})

describe('an entity', () => {
  it('has its long texts on one line, without control characters', () => {
    const searchable = {
      type: 'draft' as const,
      id: 7,
      title: 'Dock',
      tags: [],
      description: { format: 'markdown' as const, text: ' one\n\ntwo\u001b[31m\tthree ' },
      acceptanceCriteria: null,
      itemType: null,
      level: null,
      state: null,
      stateCategory: null,
      priority: null,
      assignedTo: null,
      areaPath: null,
      iterationPath: null,
      folderId: 1,
      updatedAt: null,
      url: null,
      reference: null,
    }
    const { description: _, acceptanceCriteria: __, ...rest } = searchable
    expect(toEntity(searchable, ({ text }) => text)).toEqual({
      ...rest,
      description: 'one two [31m three',
      criteria: '',
    })
  })
})
