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
    'what somebody wrote of an image',
    `<p>text</p><img alt="Image of the door" src="${attachment}">`,
    'text\n\nImage of the door',
  ],
  ['a sentence of that wording', '<p>Show more</p>', 'Show more'],
])('%s', (_what, html, expected) => {
  const { markdown } = fromHtml(html)
  expect(markdown).toBe(expected)
  expect(fromMarkdown(markdown)).toEqual({ markdown, removed: [] })
})
