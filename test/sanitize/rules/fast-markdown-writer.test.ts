import fc from 'fast-check'
import type { RootContent } from 'mdast'
import { describe, expect, it } from 'vitest'
import { readHtml } from '../../../src/rich-text/rules/html/read'
import { readMarkdown } from '../../../src/rich-text/rules/markdown/read'
import { writeSimpleBlock, writeSimpleBlocks } from '../../../src/sanitize/rules/markdown/fast-markdown-writer'
import { writeMarkdown } from '../../../src/sanitize/rules/markdown/write'
import { Tally } from '../../../src/sanitize/rules/removal'
import { cleanBlocks } from '../../../src/sanitize/rules/tree/blocks'
import { areSame } from '../../../src/sanitize/rules/tree/same'
import { corpus } from './corpus'
import { calmHtml, htmlMixture, markdownMixture } from './mixtures'

const clean = (nodes: readonly RootContent[], tally = new Tally()) =>
  cleanBlocks(nodes, { trackerHosts: [], tally, also: new Set() })
const fromHtml = (html: string) => clean(readHtml(html).children)
const fromMarkdown = (markdown: string) => clean(readMarkdown(markdown).children)

/** Generates clean trees from HTML as editors write it, from arbitrary HTML and from Markdown. */
const blocks = fc.oneof(calmHtml.map(fromHtml), htmlMixture.map(fromHtml), markdownMixture.map(fromMarkdown))

describe('a block that needs no check', () => {
  it('reads back as the same block, with nothing left to remove', () => {
    let evident = 0
    const property = fc.property(blocks, (found) => {
      for (const block of found) {
        const markdown = writeSimpleBlock(block)
        if (markdown === null) continue
        evident++
        const tally = new Tally()
        const again = clean(readMarkdown(markdown).children, tally)
        expect(areSame(again, [block]), `${markdown}\n${JSON.stringify([block, again])}`).toBe(true)
        expect(tally.list()).toEqual([])
      }
    })
    fc.assert(property, { numRuns: 400 })
    expect(evident).toBeGreaterThan(300)
  })

  it('reads back as the same block next to others', () => {
    fc.assert(
      fc.property(blocks, blocks, (some, more) => {
        const all = clean([...some, ...more])
        const markdown = writeSimpleBlocks(all)
        if (markdown === null) return
        expect(areSame(fromMarkdown(markdown), all), markdown).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('is written as by the full writer, except for harmless escapes', () => {
    const bare = (markdown: string) => markdown.replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    fc.assert(
      fc.property(calmHtml.map(fromHtml), (found) => {
        for (const block of found) {
          const markdown = writeSimpleBlock(block)
          if (markdown !== null) expect(bare(markdown)).toBe(bare(writeMarkdown({ type: 'root', children: [block] })))
        }
      }),
      { numRuns: 150 },
    )
  })
})

it('needs no check for nearly all blocks that editors write', () => {
  const found = corpus.filter(({ format }) => format === 'html').flatMap(({ input }) => fromHtml(input))
  const evident = found.filter((block) => writeSimpleBlock(block) !== null)
  expect(evident.length / found.length).toBeGreaterThan(0.9)
})
