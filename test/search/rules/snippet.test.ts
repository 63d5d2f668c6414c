import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PhraseMatcher } from '../../../src/search/rules/phrase'
import { SearchWork } from '../../../src/search/rules/search-work'
import { createSnippet, type HighlightTerms } from '../../../src/search/rules/snippet'
import { tokenize } from '../../../src/search/rules/tokenize'

function lookingFor(...forms: string[]): HighlightTerms {
  return { worth: (form) => (forms.includes(form) ? 1 : 0), phrases: new PhraseMatcher([]) }
}

const snippetOf = (texts: readonly string[], sought: HighlightTerms) => createSnippet(texts, sought, new SearchWork())

function marked({ snippet, highlights }: Awaited<ReturnType<typeof createSnippet>>): string[] {
  return highlights.map(([start, end]) => snippet.slice(start, end))
}

const filler =
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore '.repeat(4)

describe('snippet', () => {
  it('is the complete text if that is short, with the matches highlighted', async () => {
    const shown = await snippetOf(['The dock door sticks.'], lookingFor('dock', 'door'))
    expect(shown).toEqual({
      snippet: 'The dock door sticks.',
      highlights: [
        [4, 8],
        [9, 13],
      ],
    })
  })

  it('is cut at word boundaries around the densest cluster of different words', async () => {
    const shown = await snippetOf([`door ${filler}the dock door of the hall ${filler}`], lookingFor('dock', 'door'))
    expect(shown.snippet).toMatch(/^…\S.* the dock door of the hall .*\S…$/)
    expect(marked(shown)).toEqual(['dock', 'door'])
  })

  it('shows a cluster to its end regardless of its width, and highlights only visible text', async () => {
    const gap =
      'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna '
    const shown = await snippetOf([`${filler}dock ${gap}door ${gap}hall ${filler}`], lookingFor('dock', 'door', 'hall'))
    expect(marked(shown)).toEqual(['dock', 'door'])
  })

  it('is taken from the text with the best match', async () => {
    expect((await snippetOf(['a door', 'a dock door'], lookingFor('dock', 'door'))).snippet).toBe('a dock door')
    expect((await snippetOf(['a door', 'a dock'], lookingFor('dock', 'door'))).snippet).toBe('a door')
  })

  it('is the beginning of the first text if nothing matches', async () => {
    const shown = await snippetOf(['', filler], lookingFor('door'))
    expect(shown.highlights).toEqual([])
    expect(filler.startsWith(shown.snippet.replace('…', ''))).toBe(true)
    expect(shown.snippet.endsWith('…')).toBe(true)
    expect(await snippetOf(['', ''], lookingFor('door'))).toEqual({ snippet: '', highlights: [] })
  })

  it('highlights a joined word as one', async () => {
    expect(marked(await snippetOf(['the dockDoor sticks'], lookingFor('dock', 'door', 'dockdoor')))).toEqual([
      'dockDoor',
    ])
  })

  it('highlights a phrase as a whole, including stop words', async () => {
    const lookout = {
      ...lookingFor('stock'),
      phrases: new PhraseMatcher([{ forms: ['out', 'of', 'stock'], quoted: true }]),
    }
    expect(marked(await snippetOf(['Out of stock, of course'], lookout))).toEqual(['Out of stock'])
  })

  it('does not split a character', async () => {
    const shown = await snippetOf([`${'😀'.repeat(200)} door ${'😀'.repeat(200)}`], lookingFor('door'))
    expect(marked(shown)).toEqual(['door'])
    expect(shown.snippet).toMatch(/^…(😀)+ door (😀)+…$/u)
  })

  it('has about 160 characters, with disjoint highlights of searched words in order', async () => {
    const word = fc.constantFrom(
      'dock',
      'Door',
      'dockDoor',
      'ipsum',
      'étage',
      'x'.repeat(30),
      '日本語',
      'dock-door',
      '😀',
    )
    const text = fc.array(word, { maxLength: 120 }).map((words) => words.join(' '))
    const sought = ['dock', 'door', 'dockdoor', '日本', '本語']
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 3 }), async (texts) => {
        const { snippet, highlights } = await snippetOf(texts, lookingFor(...sought))
        expect(snippet.length).toBeLessThanOrEqual(164)
        expect([...texts, ''].some((whole) => whole.includes(snippet.replaceAll('…', '')))).toBe(true)
        let last = 0
        for (const [start, end] of highlights) {
          expect(start).toBeGreaterThanOrEqual(last)
          const forms = tokenize(snippet.slice(start, end)).filter(({ kind }) => kind !== 'sign')
          expect(forms.length).toBeGreaterThan(0)
          for (const { form } of forms) expect(sought).toContain(form)
          last = end
        }
        expect(last).toBeLessThanOrEqual(snippet.length)
        const found = texts.some((whole) => tokenize(whole).some(({ form }) => sought.includes(form)))
        expect(highlights.length > 0).toBe(found)
      }),
    )
  })
})
