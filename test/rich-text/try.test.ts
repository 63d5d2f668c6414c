import { it } from 'vitest'
import { editSource } from '../../src/rich-text/edit/edit-source'
import { htmlFormat } from '../../src/rich-text/edit/formats'
import { parseMarkdown, sanitizeText } from '../../src/sanitize'

it('tries', () => {
  const run = (source: string, change: (copy: string) => string) => {
    const copy = sanitizeText({ format: 'html', text: source }, { trackerHosts: ['tracker.example.com'], people: ['Wei Chen'] }).markdown
    const after = change(copy)
    const result = editSource({ source, format: htmlFormat, before: parseMarkdown(copy), after: parseMarkdown(after) })
    console.log([copy, after, JSON.stringify(result, null, 1)].join('\n----\n'))
  }
  run('<p>call +1 (425) 555-0123 driver</p>', (c) => c.replace('driver', 'operator'))
  run('<p>Text</p><p><img src="https://tracker.example.com/_apis/wit/attachments/x?fileName=plan.png" width=300 alt="plan"></p>', (c) => c + '\n\nA new end')
  run('<p>Ask <a href="#" data-vss-mention="version:2.0,8c0b">@Wei Chen</a> today</p>', (c) => c.replace('Ask @someone', 'Ask please @someone').replace('today', '**now**'))
  run('<p><a href="#" data-vss-mention="version:2.0,8c0b">@Wei Chen</a> today</p>', (c) => 'Please ' + c)
  run('<ul><li>One <b>bold</b></li><li>Two</li></ul><table><tr><td>a</td><td>b</td></tr></table>', (c) => c.replace('- Two', '- Two\n- Three').replace('| a | b |', '| a | c |').replace('**bold**', 'bold'))
  run('<div>x<sup>2</sup> and <span style="color:red">red words</span> here</div><div>Second</div>', (c) => c.replace('red words', 'red things').replace('Second', '# Second').replace('here', 'here we are'))
})
