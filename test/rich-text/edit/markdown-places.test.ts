import { decodeHTMLStrict } from 'entities'
import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { describe, expect, it } from 'vitest'
import { markdownFormat } from '../../../src/rich-text/edit/markdown-source'
import { Places } from '../../../src/rich-text/rules/markdown/places'
import { parseMarkdownTree } from '../../../src/rich-text/rules/markdown/tree'
import { parseMarkdown } from '../../markdown-reference'
import { calmMarkdown, markdownMixture } from '../../sanitize/rules/mixtures'

/** What both parsers have a node for: in the reference, an image with a label has another type, and a bare address is a link. */
const COMPARED =
  'heading blockquote list listItem code table tableRow tableCell emphasis strong delete inlineCode break'.split(' ')

/** The nodes with their places, without whitespace and quote marks at their ends. */
function describePlaces(
  root: Nodes,
  placeOf: (node: Nodes) => { start: number; end: number },
  source: string,
): string[] {
  const own = COMPARED.includes(root.type) ? [root] : []
  const children = 'children' in root ? (root.children as Nodes[]) : []
  const written = own.map((node) => {
    const { start, end } = placeOf(node)
    return `${node.type} ${source.slice(start, end).replace(/[\s>]+$/, '')} at ${start}`
  })
  return [...written, ...children.flatMap((child) => describePlaces(child, placeOf, source))]
}

function expectSamePlaces(source: string): void {
  const places = new Places(source)
  const ours = describePlaces(parseMarkdownTree(source, places), (node) => places.get(node)!, source)
  const placeOf = ({ position }: Nodes) => ({ start: position!.start.offset!, end: position!.end.offset! })
  expect(ours).toEqual(describePlaces(parseMarkdown(source), placeOf, source))
}

/** What a piece of Markdown shows, if it is a word, an escaped sign or a reference. */
function decode(written: string): string {
  return decodeHTMLStrict(written.replace(/^\\([!-/:-@[-`{-~])$/, '$1').replace(/\\(?=[!-/:-@[-`{-~])/g, ''))
}

describe('Markdown is read with the places of its parts', () => {
  it('which are those that micromark tells', () => {
    // Definitions are no nodes of our reader, so that what is around them may end before them.
    fc.assert(
      fc.property(
        calmMarkdown.filter((text) => !text.includes(']:')),
        expectSamePlaces,
      ),
      { numRuns: 150 },
    )
  })

  it.each([
    ['marks in marks', '***a** b* **c *d*** ~~e *f*~~ __g__ *h **i***'],
    ['links', '[*a*](b "c") <http://d.example> [g][g] **[h](i)**\n\n[g]: j'],
    ['code', '``a ` b`` ` c ` `d`\n\n```js\ne\n```\n\n    f\n      g\n\n> ```\n> h\n>\n> i\n> ```'],
    ['headings', '# a #\n\nb *c*\n===\n\n## d \\#\n\n> ### e ##\n\n#'],
    ['lists and quotes in each other', '- a\n  > b\n  > - c\n  >   d\n\n> 1. e\n>    f\n> 2. > g\n\n10) h\n\n    i'],
    ['tables', '| a | b |\n|---|---|\n| `c\\|d` | **e** \\| f |\n\n> g | h\n> --|--\n> *i* | j |\n| | k'],
    ['line ends of every system', '# a\r\n\r\n*b*\\\r\n*c*\r\r- d\r\n- `e`'],
    ['tabs', '-\ta\n\n\t*b*\n\n>\t*c*\n\n1.\td\n\te'],
  ])('%s', (_name, source) => expectSamePlaces(source))

  it('also behind a byte order mark', () => {
    expect(markdownFormat.read('\ufeff# a')).toMatchObject([{ key: 'a', start: 3, end: 4 }])
  })

  it('so that each word is where it is written', () => {
    fc.assert(
      fc.property(fc.oneof(calmMarkdown, markdownMixture), (source) => {
        const written = markdownFormat.read(source)!.filter(({ place }) => place?.kind !== 'locked')
        for (const { key, start, end } of written)
          if (/^\w/.test(key)) expect(decode(source.slice(start, end))).toBe(decode(key))
      }),
      { numRuns: 300 },
    )
  })
})
