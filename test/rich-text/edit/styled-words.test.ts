import { describe, expect, it } from 'vitest'
import { editAdf } from '../../../src/rich-text/edit/edit-atlassian'
import { editStoredText } from '../../../src/rich-text/edit/edit-text'

const MENTION = '<a href="#" data-vss-mention="version:2.0,9d1c">@Jane Doe</a>'

describe('words that get other marks', () => {
  it.each([
    [
      'keep the person that they mention',
      'html',
      `<div>ask ${MENTION} first:</div><p>b</p>`,
      ['ask @someone first:\n\nb', '**ask @someone first:**\n\nb'],
      `<div><strong>ask ${MENTION} first:</strong></div><p>b</p>`,
    ],
    [
      'keep their colour',
      'html',
      '<p>a <span style="color:red">red</span> one</p>',
      ['a red one', '*a red one*'],
      '<p><em>a <span style="color:red">red</span> one</em></p>',
    ],
    [
      'keep the width of an image, and where a link leads',
      'markdown',
      'see <img src="https://x.example/a.png" width="300"> [story](https://tracker.example.com/1)',
      ['see [image](https://x.example/a.png) story', '**see [image](https://x.example/a.png) story**'],
      '**see <img src="https://x.example/a.png" width="300"> [story](https://tracker.example.com/1)**',
    ],
    [
      'keep what was removed from the document',
      'markdown',
      'call +1 (425) 555-0123 <kbd>X</kbd>',
      ['call [phone removed] `X`', '~~call [phone removed] `X`~~'],
      '~~call +1 (425) 555-0123 <kbd>X</kbd>~~',
    ],
  ] as const)('%s', (_name, format, source, [before, after], wanted) => {
    const edited = editStoredText({ format, source, before, after })
    expect(edited).toEqual({ source: wanted, undecided: [], losses: [] })
  })

  it('keep the status and the colour of a document', () => {
    const status = { type: 'status', attrs: { text: 'DONE', color: 'green', localId: 'a' } }
    const red = { type: 'textColor', attrs: { color: '#ff0000' } }
    const content = [{ type: 'text', text: 'it is ' }, status, { type: 'text', text: ' now', marks: [red] }]
    const { stored, losses } = editAdf({ type: 'doc', content: [{ type: 'paragraph', content }] }, '**it is DONE now**')
    expect(JSON.stringify(stored)).toContain(JSON.stringify(status))
    expect(JSON.stringify(stored)).toContain(JSON.stringify(red))
    expect(losses).toEqual(['formatting of “it is DONE now”'])
  })
})

describe('words that are written anew', () => {
  it.each([
    ['<p>a <span style="color:red">red</span> one</p>', 'a red one', '**red** one, and **a**', 'red'],
    ['<p>a <span style="color:red">red</span> one</p>', 'a red one', '```\na red one\n```', 'red'],
    ['<p>a <u>new</u> one</p><ul><li>b</li></ul>', 'a new one\n\n- b', 'a\n\n- b\n  1. it is new', 'new'],
  ])('announce the style that they had: %s', (source, before, after, word) => {
    const { losses } = editStoredText({ format: 'html', source, before, after })
    expect(losses).toContain(`formatting of “${word}”`)
  })

  it('announce that they mention no one anymore', () => {
    const source = `<p>ask ${MENTION} first</p>`
    const { losses } = editStoredText({
      ...{ format: 'html', source },
      ...{ before: 'ask @someone first', after: '`ask @someone first`' },
    })
    expect(losses.join()).toContain('someone')
  })
})
