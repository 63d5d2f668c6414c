import { describe, expect, it } from 'vitest'
import { wikiToMarkdown } from '../../../src/rich-text'
import { editWiki } from '../../../src/rich-text/edit/edit-atlassian'
import { editStoredText } from '../../../src/rich-text/edit/edit-text'
import { parseWiki } from '../../../src/rich-text/parse-wiki'

const SYMBOL = "<span style='font-family:Symbol'>·<span>&nbsp;&nbsp;</span></span>"
const office = (words: string) =>
  `<p class=MsoListParagraph style='mso-list:l0 level1'>${SYMBOL}<span>${words}</span></p>`

describe('an edit of the blocks of HTML', () => {
  it.each([
    [
      'keeps the source of a block that is joined to another one, and stays outside of its styles',
      '<div>a <a href="https://x.example" title="T">b</a> <span style="color:red">red</span></div><p>tail</p>',
      'a [b](https://x.example) red\n\ntail',
      'a [b](https://x.example) red tail',
      '<div>a <a href="https://x.example" title="T">b</a> <span style="color:red">red</span> tail</div>',
    ],
    [
      'keeps it also if a new block is put between them',
      '<hr>one <b>two</b><p>three <i style="x">four</i> five six</p>',
      '---\n\none **two**\n\nthree *four* five six',
      '---\n\nA new block\n\none **two** three *four* five six',
      '<hr><p>A new block</p><p>one <b>two</b> three <i style="x">four</i> five six</p>',
    ],
    [
      'writes a block that takes the place of a deleted one where that was',
      '<p>a b</p>\n<ul><li><p>c</p><p>d</p></li></ul><div><div>e</div>f</div>',
      'a b\n\n- c\n\n  d\n\ne\n\nf',
      'a b\n\n- c\n- new\n\n  d\n\ne\n\nf',
      '<p>a b</p>\n<ul>\n<li>c</li>\n<li><p>new</p><p>d</p></li>\n</ul><div><div>e</div>f</div>',
    ],
    [
      'puts what is split from the beginning of a block beside that block',
      '<div><div>a</div>b<p>tail</p></div><div>one two three four</div>',
      'a\n\nb\n\ntail\n\none two three four',
      'a\n\nb\n\ntail\n\none\n\ntwo three four',
      '<div><div>a</div>b<p>tail</p></div><p>one</p><div>two three four</div>',
    ],
    [
      'writes a new item of an Office list as the others are written',
      office('one') + office('two'),
      '- one\n- two',
      '- one\n- new\n- two',
      office('one') + office('new') + office('two'),
    ],
    [
      'writes words into a heading that is bold as a whole, which a copy does not show',
      '<h2><b>Goal</b></h2><p>x</p>',
      '## Goal\n\nx',
      '## Goal and scope\n\nx',
      '<h2><b>Goal and scope</b></h2><p>x</p>',
    ],
    [
      'puts words behind an element that ends a block',
      '<p>a <b>b</b></p>',
      'a **b**',
      'a **b** c',
      '<p>a <b>b</b> c</p>',
    ],
  ])('%s', (_name, source, before, after, wanted) => {
    const edited = editStoredText({ format: 'html', source, before, after })
    expect(edited).toEqual({ source: wanted, undecided: [], losses: [] })
  })

  it('announces that words lose their formatting if their block is joined to another one and changed', () => {
    const source = '<p>one <span style="color:red">red</span> two three</p><p>a tail of many more words</p>'
    const { losses } = editStoredText({
      ...{ format: 'html', source },
      ...{
        before: 'one red two three\n\na tail of many more words',
        after: 'one red changed three a tail of many more words',
      },
    })
    expect(losses.join()).toMatch(/^formatting of “/)
  })

  it('asks if the items of an Office list have numbers of their own', () => {
    const item = (number: number, words: string) =>
      `<p class=MsoListParagraph style='mso-list:l0 level1'><span>${number}.<span>&nbsp;&nbsp;</span></span>${words}</p>`
    const source = item(1, 'one') + item(2, 'two')
    const edited = editStoredText({
      ...{ format: 'html', source },
      ...{ before: '1. one\n2. two', after: '1. one\n2. new\n3. two' },
    })
    expect(edited.source.match(/1\./g)).toHaveLength(1)
    expect(edited.undecided).not.toEqual([])
  })
})

describe('an edit of Markdown', () => {
  it.each([
    ['writes code beside code as code of its own', 'a `b`', 'a `b`', 'a `x` `b` `y`', 'a `x` `b` `y`'],
    ['keeps how the sign behind new words is written', 'a &lt;tag', 'a \\<tag', 'a 1 < 2 \\<tag', 'a 1 < 2 &lt;tag'],
    [
      'puts a new block behind the addresses of the links of the block before it',
      '[a][r]\n\n[r]: https://x.example "T"\n\n- b',
      '[a](https://x.example)\n\n- b',
      '[a](https://x.example)\n\nnew\n\n- b',
      '[a][r]\n\n[r]: https://x.example "T"\n\nnew\n\n- b',
    ],
  ])('%s', (_name, source, before, after, wanted) => {
    const edited = editStoredText({ format: 'markdown', source, before, after })
    expect(edited).toEqual({ source: wanted, undecided: [], losses: [] })
  })
})

describe('an edit of wiki markup', () => {
  const show = (wiki: string) => wikiToMarkdown(wiki, parseWiki)
  it.each([
    [
      'is outside of a quotation that ends before it',
      'a\n\n{quote}\nh2. b\n{quote}',
      (shown: string) => `${shown}\n\nnew`,
      'a\n\n{quote}\nh2. b\n{quote}\n\nnew',
    ],
    [
      'changes an item of a list in a panel',
      'a\n\n{panel}\n* b\n** c\n* d\n{panel}',
      (shown: string) => shown.replace('- d', '- e'),
      'a\n\n{panel}\n* b\n** c\n* e\n{panel}',
    ],
    [
      'makes a heading right below a rule',
      '----\nb c',
      (shown: string) => shown.replace('b c', '## b c'),
      '----\nh2. b c',
    ],
    [
      'writes a bar in the code of a cell as a reference, which does not end the cell',
      '|a|b|\n|c|d|',
      (shown: string) => shown.replace('c', 'c `x\\|y`'),
      '|a|b|\n|c {{x&#124;y}}|d|',
    ],
    [
      'keeps the code of a cell',
      '|a|b|\n|c {{x&#124;y}}|d|',
      (shown: string) => shown.replace('d', 'e'),
      '|a|b|\n|c {{x&#124;y}}|e|',
    ],
  ])('%s', (_name, wiki, change, wanted) => {
    expect(editWiki(wiki, change(show(wiki)), show)).toEqual({ stored: wanted, isRewritten: false, losses: [] })
  })
})
