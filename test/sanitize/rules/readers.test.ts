import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMarkdown } from '../../../src/rich-text'
import { sanitizeText } from '../../../src/sanitize'
import { areSame } from '../../rich-text/same'
import { context, fromHtml, fromMarkdown } from './context'
import { corpus } from './corpus'
import { calmHtml, calmMarkdown, htmlMixture, markdownMixture } from './mixtures'
import { readByReference } from './reference-reader'

/** Expects that both parsers return the same document. */
function expectAgreement(markdown: string): void {
  const ours = readMarkdown(markdown).children
  const theirs = readByReference(markdown).children
  expect(areSame(ours, theirs), `${markdown}\n${JSON.stringify([ours, theirs])}`).toBe(true)
}

describe('Markdown is parsed as micromark parses it', () => {
  it('for Markdown as people write it', () => {
    fc.assert(fc.property(calmMarkdown, expectAgreement), { numRuns: 150 })
  })

  it.each(corpus.filter(({ format }) => format === 'markdown'))('$name', ({ input }) => expectAgreement(input))

  it.each([
    ['tables', '| a | b |\n|:--|--:|\n| 1 | 2 |'],
    ['a table without bars at its edges, behind a paragraph', 'text\na | b\n--|--\n1 | 2\n\nafter'],
    ['a table of one column', 'a\n:-\nb\n# c'],
    ['a table with more and with fewer cells than its header', '| a | b |\n|--|--|\n| 1 |\n| 1 | 2 | 3 |'],
    ['bars that are escaped, in code and behind a backslash', '| a | b |\n|--|--|\n| `x\\|y` | \\| |\n| x \\\\| y |'],
    ['no table: too few columns, a list, a heading', 'a | b\n---\n\n- a | b\n|--|--|\n\n# a | b\n--|--\n1'],
    [
      'a table that a list, a quote, code and a rule end',
      'a|b\n-|-\n- x\n\na|b\n-|-\n> x\n\na|b\n-|-\n    x\n\na|b\n-|-\n***',
    ],
    [
      'strikethrough with one and two tildes, and with three',
      '~a~ ~~b~~ ~~~c~~~ ~d~~ ~~e~ f~g~h ~~ i ~~ **~j~** ~*k*~',
    ],
    ['tasks', '- [ ] a\n- [x] b\n- [X]\tc\n- [ ]\n- [x]d\n1. [ ] e\n\n   [ ] f\n- \\[ ] g\n- [x] [x] h'],
    [
      'addresses',
      'http://a.example/b_c_d*e* HTTPS://a.example, (www.a.example/b_(c)_). xhttp://a *www.a.example* www.a_b.c_d',
    ],
    [
      'addresses in links, in brackets and with escapes',
      '[http://a.example/_b_](http://c.example) http://a.example/\\_b\\_ <http://a.example/_b_>',
    ],
    ['no addresses', 'http:// http://! www. www._ awww.b.example http://_a_'],
    ['e-mail addresses', 'a_b_c@d.example <a@b.example> mailto:a@b.example'],
    [
      'footnotes',
      'a[^1] b[^2] c![^1] [d [^1]](e)\n\n[^1]: one\ntwo\n\n    three\n\n    - four\n[^longer-label]: five\n\nsix',
    ],
    [
      'footnotes in lists and quotes, and empty ones',
      '- a\n\n  [^1]: b\n\n      c\n\n> [^2]: d\ne\n\n[^3]:\n\n[^4]:\n    f',
    ],
    ['references', '[a] [a][] [b][a] [a][c] ![a]\n\n[A]: <x y> "t"\n[d]: z\n\'t\nu\'\n[a]: other'],
    [
      'raw HTML',
      'a <b>c</b> <br/> <!-- d --> <?e?> <!F> <![CDATA[g]]>\n\n<div\nclass="h">\n*i*\n</div>\n\n<pre>\n\nj</pre>',
    ],
    ['breaks', 'a  \nb\\\nc \nd\n e   \n\nf\\'],
    [
      'character references',
      '&amp; &copy; &#65; &#x41; &#0; &nosuch; &amp &AMP; \\&amp; `&amp;` [a](b?c&amp;d) &nbsp;',
    ],
    ['tabs', '\tcode\n\n-\ta\n\n\tb\n\na\tb\n\n1.\tc\n\n\t\tcode\n\n>\td'],
    ['code', '``` js x\na\n```\n\n~~~&amp;\n```\n~~~\n\n    b\n\n     c\n\n``` a`b `` c\n\n```\nopen'],
    ['headings', '# a #\n\n## b \\#\n\nc\nd\n===\n\n#e\n\n####### f\n\n#'],
    ['line ends of every system', '\ufeff# a\r\n\r\nb  \r\nc\rd\n\n- e\r\n- f\0'],
  ])('%s', (_name, markdown) => expectAgreement(markdown))
})

/** The parsers may read a source differently, but must read the written result the same. */
describe('both parsers read the written result the same', () => {
  it.each([
    ['Markdown', 'markdown', markdownMixture],
    ['Markdown as people write it', 'markdown', calmMarkdown],
    ['HTML', 'html', htmlMixture],
    ['HTML as editors write it', 'html', calmHtml],
  ] as const)('from %s', (_name, format, texts) => {
    fc.assert(
      fc.property(texts, (text) => expectAgreement(sanitizeText({ format, text }, context).markdown)),
      { numRuns: 150 },
    )
  })

  it.each(corpus)('$name', ({ format, input }) => {
    expectAgreement((format === 'html' ? fromHtml : fromMarkdown)(input).markdown)
  })
})
