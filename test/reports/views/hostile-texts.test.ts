import fc from 'fast-check'
import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { renderBriefing } from '../../../commands/views/reports/briefing'
import { renderBriefingPage } from '../../../commands/views/reports/briefing-page'
import { renderBriefingPlain } from '../../../commands/views/reports/briefing-plain'
import {
  renderHierarchyCsv,
  renderHierarchyMarkdown,
  renderHierarchyTable,
} from '../../../commands/views/reports/hierarchy-formats'
import { renderHierarchyPage } from '../../../commands/views/reports/hierarchy-page'
import { renderHierarchyTree } from '../../../commands/views/reports/hierarchy-tree'
import { renderSummary } from '../../../commands/views/reports/summary'
import { renderSummaryCsv } from '../../../commands/views/reports/summary-csv'
import { renderSummaryMarkdown } from '../../../commands/views/reports/summary-markdown'
import { renderSummaryPage } from '../../../commands/views/reports/summary-page'
import { parseMarkdown } from '../../markdown-reference'
import { shop } from '../sample-workspace'
import { createBriefingAnswer, createCanvas, createHierarchyAnswer, createSummaryAnswer } from './view-answers'

/** The shop with `text` in every field that users of the tracker can edit. */
const shopSaying = (text: string) =>
  shop.map((one) => ({
    ...one,
    title: text,
    state: text,
    type: text,
    iterationPath: text,
    assignedTo: one.assignedTo && { displayName: text, uniqueName: null },
    blocked: one.blocked.map((blocker) => ({ ...blocker, evidence: `waits for #131 ${text}` })),
  }))

const hostile: readonly [string, string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['an attribute', '" onmouseover="alert(1)" style=\'x:expression(1)'],
  ['an end of the page', '</title></style></table></body><img src=x onerror=alert(1)>'],
  ['entities', '&lt;script&gt; &#x6a; &amp'],
  ['a formula', '=HYPERLINK("http://evil.example","a")'],
  ['a formula after spaces', "  +1+cmd|'/c calc'!A0"],
  ['a formula in wide signs', '\uff1dA1+1'],
  ['cells and lines', 'a","b"\r\n=1;c\td'],
  ['Markdown', '**a** [b](javascript:alert(1)) ![c](http-x) | `d` ~~e~~ # f\n\n- g\n> h'],
  ['control characters', 'a\u0000b\u001b]0;title\u0007c\u009b31m\u0085d\u2028e'],
  ['a turned direction', '\u202Efdp.exe\u2066\u200f'],
  ['half a character', 'a\uD800b'],
]

const anyMarkup = fc.string({ unit: fc.constantFrom(...'ab1 #|`*_[]()<>!&;~\\\n\r\t-=+@:.{}$^"\'\u0000\u001b\u202E') })

/** What a terminal, or an editor, would obey. */
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/** The kinds of nodes of a tree. */
function shapeOf(root: unknown): string[] {
  const kinds: string[] = []
  const waiting: any[] = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'text') continue
    kinds.push(`${node.type}`)
    waiting.push(...(node.children ?? []))
  }
  return kinds.sort()
}

function htmlShape(text: string): string[] {
  const kinds: string[] = []
  const waiting: any[] = [parse(text)]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeName === '#text') continue
    const attributes = (node.attrs ?? []).map(({ name }: { name: string }) => name).sort()
    kinds.push([node.nodeName, ...attributes].join(' '))
    waiting.push(...(node.childNodes ?? []))
  }
  return kinds.sort()
}

const markdownShape = (text: string) => shapeOf(parseMarkdown(text))

/** RFC 4180, read by a reader of its own. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)!.push((match[1]?.replaceAll('""', '"') ?? match[2])!)
    if (match[3] === '\r\n') rows.push([])
    else if (match[3] === '') break
  }
  return rows.filter((row) => row.length > 1)
}

const pages: readonly [string, (text: string) => string][] = [
  ['the page of the hierarchy', (text) => renderHierarchyPage(createHierarchyAnswer(shopSaying(text)))],
  ['the page of the summary', (text) => renderSummaryPage(createSummaryAnswer(shopSaying(text)))],
  ['the page of the briefing', (text) => renderBriefingPage(createBriefingAnswer(shopSaying(text)))],
]

describe.each(pages)('into %s', (_, pageSaying) => {
  const harmless = htmlShape(pageSaying('harmless'))

  it.each(hostile)('%s injects nothing', (_name, text) => {
    const page = pageSaying(text)
    expect(htmlShape(page)).toEqual(harmless)
    expect(page).not.toMatch(OBEYED)
  })

  it('no text injects anything', () => {
    fc.assert(
      fc.property(anyMarkup, (text) => {
        expect(htmlShape(pageSaying(`x${text}x`))).toEqual(harmless)
      }),
      { numRuns: 40 },
    )
  })

  it('nothing is loaded from other addresses', () => {
    const page = pageSaying('harmless')
    expect(page).not.toMatch(/<(script|link|img|iframe|object|base|form|a)\b|url\(|@import|\ssrc=|\shref=/i)
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    )
  })
})

const sheets: readonly [string, (text: string) => string][] = [
  ['the CSV of the hierarchy', (text) => renderHierarchyCsv(createHierarchyAnswer(shopSaying(text)))],
  ['the CSV of the summary', (text) => renderSummaryCsv(createSummaryAnswer(shopSaying(text)))],
]

describe.each(sheets)('into %s', (_, sheetSaying) => {
  const rowsSaying = (text: string) => csvRows(sheetSaying(text))
  const harmless = rowsSaying('harmless')

  it.each(hostile)('%s injects no formula, cell or line', (_name, text) => {
    const rows = rowsSaying(text)
    expect(rows.map((row) => row.length)).toEqual(harmless.map((row) => row.length))
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^\s*[=+@\uff1d\uff0b\uff20|%]|^\s*-(?!\d)/)
    expect(sheetSaying(text)).not.toMatch(OBEYED)
  })

  it('no text injects a formula, cell or line', () => {
    fc.assert(
      fc.property(anyMarkup, (text) => {
        const rows = rowsSaying(text)
        expect(rows.map((row) => row.length)).toEqual(harmless.map((row) => row.length))
        for (const cell of rows.flat()) expect(cell).not.toMatch(/^\s*[=+@|%]|^\s*-(?!\d)/)
      }),
    )
  })
})

describe('into a CSV', () => {
  it('numbers stay numbers, including negative ones', () => {
    const [head, row] = csvRows(renderHierarchyCsv(createHierarchyAnswer([{ ...shop[1]!, storyPoints: -2 }])))
    expect(row![head!.indexOf('points')]).toBe('-2')
  })
})

const texts: readonly [string, (text: string) => string][] = [
  ['the Markdown of the hierarchy', (text) => renderHierarchyMarkdown(createHierarchyAnswer(shopSaying(text)))],
  ['the Markdown of the summary', (text) => renderSummaryMarkdown(createSummaryAnswer(shopSaying(text)))],
]

describe.each(texts)('into %s', (_, textSaying) => {
  const harmless = markdownShape(textSaying('harmless'))

  // An address alone is a link to itself in many readers, and leads where it says.
  it.each(hostile.filter(([name]) => name !== 'a formula'))('%s injects nothing', (_name, text) => {
    expect(markdownShape(textSaying(text))).toEqual(harmless)
    expect(textSaying(text)).not.toMatch(OBEYED)
  })
})

describe('into a terminal', () => {
  it.each(hostile)('%s injects no control sequence', (_, text) => {
    const items = shopSaying(text)
    for (const width of [null, 30, 80]) {
      for (const shown of [
        renderHierarchyTree(createHierarchyAnswer(items), createCanvas(width)),
        renderHierarchyTable(createHierarchyAnswer(items), createCanvas(width)),
        renderSummary(createSummaryAnswer(items), createCanvas(width)),
      ])
        expect(shown).not.toMatch(OBEYED)
    }
    expect(renderBriefing(createBriefingAnswer(items))).not.toMatch(OBEYED)
    expect(renderBriefingPlain(createBriefingAnswer(items))).not.toMatch(OBEYED)
  })
})

describe("a language model's text", () => {
  const written = [
    '# Status <script>alert(1)</script>',
    '[Click](https://evil.example/?a=1&b=2) and <https://evil.example> ![secret](https://evil.example/pixel.png)',
    '<img src=x onerror=alert(1)> \u001b[2J',
    '| a | b |\n|---|---|\n| <b>1</b> | [x](javascript:alert(1)) |',
    '[ref]: https://evil.example "t"',
  ].join('\n\n')
  const answer = createBriefingAnswer(shop, {
    mode: 'ai',
    model: 'evil<b>:`latest`',
    markdown: written,
    warnings: ['97% | <i>'],
  })

  it('is escaped in HTML, and a link in it shows its target', () => {
    const page = renderBriefingPage(answer)
    expect(page).not.toMatch(/<(script|img|a|b|i)\b(?! style)/)
    expect(page).toContain('Click (https://evil.example/?a=1&#38;b=2)')
    expect(page).not.toContain('pixel.png')
    expect(page).not.toMatch(OBEYED)
  })

  it('is plain text in a mail', () => {
    const text = renderBriefingPlain(answer)
    expect(text).toContain('Click (https://evil.example/?a=1&b=2)')
    expect(text).not.toMatch(OBEYED)
  })

  it('says in every format who wrote it and what to check', () => {
    for (const text of [renderBriefing(answer), renderBriefingPage(answer), renderBriefingPlain(answer)]) {
      expect(text).toContain('Written by the language model')
      expect(text).toContain('Check before you forward this')
    }
    const sound = renderBriefing({ ...answer, warnings: [] })
    expect(sound).toContain('Every figure in it was checked against them.')
    expect(sound).not.toContain('Check before')
  })

  it('handles deeply nested markup', () => {
    const deep = { ...answer, markdown: `${'> '.repeat(3_000)}deep\n\n${'*'.repeat(500)}x${'*'.repeat(500)}` }
    expect(renderBriefingPage(deep)).toContain('deep')
    expect(renderBriefingPlain(deep)).toContain('deep')
  })
})
