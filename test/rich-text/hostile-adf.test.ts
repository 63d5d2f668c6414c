import { describe, expect, it } from 'vitest'
import { adfToMarkdown, markdownToWiki } from '../../src/rich-text'

const text = (words: string) => ({ type: 'text', text: words })
const doc = (...content: unknown[]) => ({ version: 1, type: 'doc', content })

describe('a document that is made to be expensive', () => {
  it('may have task lists at any depth, of which the deepest are reduced to their text', () => {
    const task = { type: 'taskItem', attrs: { state: 'DONE' }, content: [text('Call')] }
    let list: unknown = { type: 'taskList', content: [task] }
    for (let depth = 0; depth < 20_000; depth++) list = { type: 'taskList', content: [task, list] }
    const markdown = adfToMarkdown(doc(list))
    expect(markdown.startsWith('- [x] Call\n  - [x] Call')).toBe(true)
    expect(markdown.match(/Call/g)).toHaveLength(20_001)
  })

  it('may have a table whose rows differ in length, which is not filled up with empty cells', () => {
    const cell = { type: 'tableCell', content: [{ type: 'paragraph', content: [text('x')] }] }
    const rows = Array.from({ length: 1_500 }, () => ({ type: 'tableRow', content: [cell] }))
    const long = { type: 'tableRow', content: Array.from({ length: 1_500 }, () => cell) }
    const markdown = adfToMarkdown(doc({ type: 'table', content: [long, ...rows] }))
    expect(markdown.match(/x/g)).toHaveLength(3_000)
    expect(markdown.length).toBeLessThan(20_000)
  })
})

describe('code in a list', () => {
  it('keeps its empty lines in wiki markup', () => {
    expect(markdownToWiki('- Run:\n\n  ```\n  a\n\n  b\n  ```')).toBe('* Run:\n{noformat}\na\n\nb\n{noformat}')
  })
})
