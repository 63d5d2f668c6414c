import { describe, expect, it } from 'vitest'
import { htmlToPlainText, markdownToPlainText } from '../../../src/rich-text'
import { fromHtml } from './context'
import { corpus } from './corpus'

describe('the plain text of HTML', () => {
  it.each([
    ['<div>one <b>two</b>three</div><div>four<br>five</div>', 'one twothree four five'],
    ['<ul><li>a</li><li>b</li></ul><table><tr><td>c</td><td>d</td></tr></table>', 'a b c d'],
    ['a<script>x < 1; "</p>"</script><style>b{}</style><!-- <p>c</p> -->d<title>t</title>', 'ad'],
    ['a &lt;b&gt; &amp;amp; &nbsp;&eacute;&#8364;&#x41; &unknown; AT&T', 'a <b> &amp; é€A &unknown; AT&T'],
    ['<a title="x > y" href=\'a>b\'>link</a> 1 < 2 <3 a<b', 'link 1 < 2 <3 a<b'],
    ['<SCRIPT>x</SCRIPT >y<p\n>z', 'y z'],
    ['<p>unclosed <b>tag</p', 'unclosed tag</p'],
    ['a\u200b\u202eb\0c\u0007 \n\t d', 'abc d'],
    ['<p>a</p><script>never closed', 'a'],
    ['<!DOCTYPE html><?xml version="1"?><![CDATA[x]]>a', 'a'],
    ['', ''],
  ])('%j', (html, expected) => {
    expect(htmlToPlainText(html)).toBe(expected)
  })
})

describe('the plain text of Markdown', () => {
  it.each([
    ['# Title\n\nText **bold** *it* __b__ _i_ ~~s~~ `a*b` x', 'Title Text bold it b i s a*b x'],
    ['- one\n- [x] two\n  1. three\n> four', 'one two three four'],
    [
      '[text](https://x.example/a_(b) "t") ![alt](y.png) <https://e.example/> [[UI] fix](u)',
      'text alt https://e.example/ [UI] fix',
    ],
    ['| a | b |\n| --- | :-: |\n| 1 | `x` \\| y |', 'a b 1 x | y'],
    ['```ts\nconst a = b * c\n```\nafter', 'const a = b * c after'],
    ['snake_case 2 * 3 \\*no\\* a\\_b', 'snake_case 2 * 3 *no* a_b'],
    ['Title\n=====\n\n---\n\n[r]: https://x.example\n\ntext', 'Title text'],
    ['a<br>b <kbd>F5</kbd> &amp; &eacute; <!-- c -->d', 'a b F5 & é d'],
    ['List<string> stays out', 'List stays out'],
    ['[email removed] and @someone', '[email removed] and @someone'],
    ['', ''],
  ])('%j', (markdown, expected) => {
    expect(markdownToPlainText(markdown)).toBe(expected)
  })
})

describe('the plain texts of both formats have the same words', () => {
  const calm = corpus.filter(({ format, removed }) => format === 'html' && removed && Object.keys(removed).length === 0)

  it.each(calm)('$name', ({ input }) => {
    const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu)
    expect(words(markdownToPlainText(fromHtml(input).markdown))).toEqual(words(htmlToPlainText(input)))
  })
})
