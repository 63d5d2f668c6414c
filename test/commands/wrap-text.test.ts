import { expect, it } from 'vitest'
import { wrapText } from '../../commands/terminal/wrap-text'

const markdown = [
  'Before',
  '| Feature | State |',
  '| --- | ---: |',
  '| One \\| two | Active |',
  '| Three | New |',
  'After',
].join('\n')

it('lists the rows of a Markdown table that is wider than the window by the titles of its columns', () => {
  expect(wrapText(markdown, 20).split('\n')).toEqual(
    ['Before', '- Feature: One \\| two', '  State: Active', '', '- Feature: Three', '  State: New', 'After'].flatMap(
      (line) => (line.length > 20 ? ['- Feature: One \\|', '  two'] : [line]),
    ),
  )
})

it('leaves a table that fits, and one in a pipe, as it is', () => {
  expect(wrapText(markdown, 40)).toBe(markdown)
  expect(wrapText(markdown, null)).toBe(markdown)
})

it('prints a command in a wrapped line on a line of its own, so that it can be copied', () => {
  const hint =
    'hint: Move it: studio reschedule 7 --date <YYYY-MM-DD>; or see: studio item list --search "a; b". It is free.'
  expect(wrapText(hint, 30)).toBe(
    [
      'hint: Move it:',
      '  studio reschedule 7 --date <YYYY-MM-DD>',
      'or see:',
      '  studio item list --search "a; b"',
      'It is free.',
    ].join('\n'),
  )
  expect(wrapText(hint, 200)).toBe(hint)
})
