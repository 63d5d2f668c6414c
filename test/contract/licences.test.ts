import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

describe('the licences of the bundled packages', () => {
  it('are in the package, with their notices', async () => {
    const text = await readFile('dist/THIRD-PARTY-LICENSES.txt', 'utf8')
    const sections = new Map(
      text.split(/^=== /m).flatMap((section) => {
        const [head = '', ...lines] = section.split('\n')
        return head === '' ? [] : [[head.split(' ')[0]!, lines.join('\n')] as const]
      }),
    )
    // An Apache licence with a notice, a file with another name, and two that are in a readme.
    expect(sections.get('swagger-ui-dist')).toMatch(/Apache License[\s\S]*Copyright 20\d\d.* SmartBear Software/)
    for (const name of ['punycode.js', 'pg-types', 'pgpass'])
      expect(sections.get(name)).toContain('Permission is hereby granted')
    const without = [...sections].filter(([, licence]) => !/copyright|permission|unlicense/i.test(licence))
    expect(without.map(([name]) => name)).toEqual([])
  })
})
