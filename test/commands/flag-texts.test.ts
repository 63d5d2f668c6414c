import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { loadAllOperations } from '../../src/catalog'

const operations = await loadAllOperations()
const begins = (text: string | undefined) => text === undefined || /^[^a-z]/.test(text)

describe('a description', () => {
  it('of a flag says nothing of null, which no command line can give', async () => {
    const reference = await readFile('docs/reference/cli.md', 'utf8')
    expect(reference.match(/^\| `-.*\bnull\b.*$/gm) ?? []).toEqual([])
  })

  it('of a flag or an argument begins with a capital letter', async () => {
    const reference = await readFile('docs/reference/cli.md', 'utf8')
    const texts = [...reference.matchAll(/^\| `[^`]*` \| (.*) \|$/gm)].map(([, text]) => text!)
    expect(texts.length).toBeGreaterThan(500)
    expect(texts.filter((text) => !begins(text))).toEqual([])
  })

  it('of a field begins with one, too', () => {
    const wrong = new Set<string>()
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      if ('description' in node && typeof node.description === 'string' && !begins(node.description))
        wrong.add(node.description)
      Object.values(node).forEach(walk)
    }
    for (const { input, output } of operations)
      for (const [io, schema] of [['input', input] as const, ['output', output] as const])
        walk(z.toJSONSchema(schema, { unrepresentable: 'any', io }))
    expect([...wrong]).toEqual([])
  })
})
