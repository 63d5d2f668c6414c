import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { describe, expect, it } from 'vitest'
import { htmlToMarkdown, markdownToHtml, readMarkdown } from '../../src/rich-text'
import { documents } from './documents'

/** The tree of a text, without what changes only its layout. */
function contentOf(markdown: string): unknown {
  const simplify = (node: Nodes): unknown => {
    if (node.type === 'text') return node.value.replace(/\s+/g, ' ')
    const {
      children,
      position: _,
      data: __,
      ...own
    } = node as Nodes & { children?: Nodes[]; spread?: unknown; align?: unknown }
    delete own.spread
    if (own.type === 'code') own.lang ||= undefined
    return { ...own, ...(children ? { children: children.map(simplify) } : {}) }
  }
  return JSON.parse(JSON.stringify(simplify(readMarkdown(markdown))))
}

describe('Markdown to HTML to Markdown', () => {
  it('keeps the content of any document', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const markdown = toMarkdown(document, { extensions: [gfmToMarkdown()] })
        const html = markdownToHtml(markdown)
        expect(contentOf(htmlToMarkdown(html)), html).toEqual(contentOf(markdown))
      }),
      { numRuns: Number(process.env['STUDIO_RUNS'] ?? 1_000) },
    )
  })
})
