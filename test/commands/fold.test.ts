import { expect, it } from 'vitest'
import { fold } from '../../commands/fold'

const markdown = [
  'Before',
  '| Feature | State |',
  '| --- | ---: |',
  '| One \\| two | Active |',
  '| Three | New |',
  'After',
].join('\n')

it('lists the rows of a Markdown table that is wider than the window by the titles of its columns', () => {
  expect(fold(markdown, 20).split('\n')).toEqual(
    ['Before', '- Feature: One \\| two', '  State: Active', '', '- Feature: Three', '  State: New', 'After'].flatMap(
      (line) => (line.length > 20 ? ['- Feature: One \\|', '  two'] : [line]),
    ),
  )
})

it('leaves a table that fits, and one in a pipe, as it is', () => {
  expect(fold(markdown, 40)).toBe(markdown)
  expect(fold(markdown, null)).toBe(markdown)
})

it('prints a command in a folded line on a line of its own, so that it can be copied', () => {
  const hint =
    'hint: Move it: studio reschedule 7 --date <YYYY-MM-DD>; or see: studio item list --search "a; b". It is free.'
  expect(fold(hint, 30)).toBe(
    [
      'hint: Move it:',
      '  studio reschedule 7 --date <YYYY-MM-DD>',
      'or see:',
      '  studio item list --search "a; b"',
      'It is free.',
    ].join('\n'),
  )
  expect(fold(hint, 200)).toBe(hint)
})
