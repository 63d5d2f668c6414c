import { describe, expect, it } from 'vitest'
import { listRelativeImages, replaceRelativeImages } from '../../src/rich-text'

describe('images beside a text', () => {
  it('are those without an address of their own', () => {
    const text =
      '![a](./a.png) ![b](b%20c.png) ![c](https://x.example/c.png) ![d](/d.png) ![e](data:image/png,x) [f](./f.md) ![g](../g.png) ![h](#h)'
    expect(listRelativeImages(text)).toEqual(['a.png', 'b c.png', '../g.png'])
  })

  it('are replaced where they are images', () => {
    const text = 'a ![A *b*](./a.png "Title") `![x](./a.png)` ![c](c.png)\n```\n![y](./a.png)\n```\n![z](<./a.png>)'
    expect(replaceRelativeImages(text, (path, alt) => (path === 'a.png' ? `{${alt}}` : null))).toBe(
      'a {A *b*} `![x](./a.png)` ![c](c.png)\n```\n![y](./a.png)\n```\n{z}',
    )
  })

  it('have names with spaces, parentheses and quotes, and titles', () => {
    for (const [address, path] of [
      ['<./a b.png>', 'a b.png'],
      ['<./shot (1).png> "Title"', 'shot (1).png'],
      ['./shot%20(1).png', 'shot (1).png'],
      ["./a.png 'Title'", 'a.png'],
    ])
      expect(replaceRelativeImages(`a ![b](${address}) c`, (found, alt) => `{${found}|${alt}}`)).toBe(`a {${path}|b} c`)
  })

  it('take linear time', () => {
    for (const part of ['![', '](', '![](', '![](a', '`![](a)', '](a(b)', '](<a'])
      expect(replaceRelativeImages(`![](x.png)${part.repeat(200_000)}`, () => null)).toHaveLength(
        10 + part.length * 200_000,
      )
  })
})
