import { describe, expect, it } from 'vitest'
import { markdownToAdf, markdownToWiki, wikiToMarkdown } from '../../src/rich-text'
import { editWiki } from '../../src/rich-text/edit/edit-atlassian'
import { parseWiki } from '../../src/rich-text/parse-wiki'

describe('Markdown that is made to be active in Jira', () => {
  it.each(['![x](https://a.example/{html}x!{html}.png)', '[x](https://a.example/{html})', '`{html}`', '**{html}**'])(
    'has no macro in wiki markup: %s',
    (markdown) => {
      expect(markdownToWiki(markdown)).not.toMatch(/(?<!\\)\{html/)
      expect(markdownToWiki(markdown).match(/!/g)?.length ?? 0).toBeLessThanOrEqual(2)
    },
  )

  it('cannot leave a code block', () => {
    const code = '```\n{noformat}\n{code}\n{html}x\n```'
    expect(markdownToWiki(code)).toBe('{{\\{noformat\\}}}\n{{\\{code\\}}}\n{{\\{html\\}x}}')
  })

  it.each(['javascript:alert/1/', 'JavaScript&colon;x', 'data:text/html,x', 'vbscript:x'])(
    'has no link that runs code: %s',
    (url) => {
      expect(markdownToWiki(`[shown](${url}) ![image](${url})`)).toBe('shown image')
      expect(JSON.stringify(markdownToAdf(`[shown](${url}) ![image](${url})`))).not.toContain('link')
    },
  )

  it('keeps the formatting of an issue to which an image with such signs is added', () => {
    const show = (wiki: string) => wikiToMarkdown(wiki, parseWiki)
    const wiki = '{color:red}one{color} two\n\nthree'
    expect(editWiki(wiki, `${show(wiki)} ![](https://a.example/b!c.png)`, show)).toEqual({
      stored: `${wiki} !https://a.example/b%21c.png!`,
      isRewritten: false,
      losses: [],
    })
  })
})
