import { expect, it } from 'vitest'
import { fromHtml, fromMarkdown } from './context'

const attachment = 'https://tracker.example.com/_apis/wit/attachments/x'

it.each([
  ['the caption that an editor fills in', `<p>text</p><img alt="Image" src="${attachment}">`, 'text'],
  ['a link that runs a script to unfold a text', '<p>text <a href="javascript:void(0)">Show more</a></p>', 'text'],
  ['a button that unfolds a text', '<div>text</div><div role="button">Show more</div>', 'text'],
  [
    'the image of an emoji',
    '<p>hi <img alt="🙂" itemtype="http://schema.skype.com/Emoji" src="https://statics.example/20_f.png"> there</p>',
    'hi 🙂 there',
  ],
  [
    'the tasks of Confluence',
    '<ul class="inline-task-list"><li class="checked" data-inline-task-id="1">done</li><li data-inline-task-id="2">open</li></ul>',
    '- [x] done\n- [ ] open',
  ],
  [
    'the tasks of Confluence as it stores them',
    '<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>done <b>now</b></ac:task-body></ac:task><ac:task><ac:task-id>2</ac:task-id><ac:task-status>incomplete</ac:task-status><ac:task-body><p>open</p></ac:task-body></ac:task></ac:task-list>',
    '- [x] done **now**\n- [ ] open',
  ],
  ['the table of contents of a wiki', '<p>[[_TOC_]]</p><p>text</p>', 'text'],
  ['the table of contents of a wiki before a line break', '[[_TOSP_]]<br>text', 'text'],
  ['a table of contents that is mentioned', '<p>Put [[_TOC_]] on top</p>', 'Put [[\\_TOC\\_]] on top'],
  [
    'what somebody wrote of an image',
    `<p>text</p><img alt="Image of the door" src="${attachment}">`,
    'text\n\nImage of the door',
  ],
  ['a caption beside an image', `<p>text</p><p><img alt="Image" src="${attachment}"><br>Image</p>`, 'text'],
  [
    'captions in paragraphs of their own',
    `<p>text</p><figure><img src="${attachment}"><figcaption>Image</figcaption></figure><p>Show more</p><p>end</p>`,
    'text\n\nend',
  ],
  [
    'a caption before a described image in a link',
    `<p>Show more <a href="https://x.example/a"><img alt="the door" src="https://x.example/d.png"></a></p>`,
    '[the door](https://x.example/a)',
  ],
  ['a caption with more words', `<p><img src="${attachment}">Image 3 shows the door</p>`, 'Image 3 shows the door'],
  ['the word beside other text', '<p>Image</p><p>text</p>', 'Image\n\ntext'],
  ['a sentence of that wording', '<p>Show more</p>', 'Show more'],
])('%s', (_what, html, expected) => {
  const { markdown } = fromHtml(html)
  expect(markdown).toBe(expected)
  expect(fromMarkdown(markdown)).toEqual({ markdown, removed: [] })
})

it.each([
  ['[[_TOC_]]\n\n# Goal', '# Goal', 1],
  ['[[_TOC_]]\ntext', 'text', 1],
  ['  [[_TOSP_]]', '', 1],
  ['[[_TOC_]]\n'.repeat(50), '', 50],
  ['text [[_TOC_]]', 'text [[*TOC*]]', 0],
  ['```\n[[_TOC_]]\n```', '```\n[[_TOC_]]\n```', 0],
  ['`[[_TOC_]]`', '`[[_TOC_]]`', 0],
])('removes the table of contents of a wiki in Markdown: %j', (source, markdown, count) => {
  const removed = count > 0 ? [{ kind: 'metadata', count }] : []
  expect(fromMarkdown(source)).toEqual({ markdown, removed })
  expect(fromMarkdown(markdown)).toEqual({ markdown, removed: [] })
})
