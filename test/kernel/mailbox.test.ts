import { describe, expect, it } from 'vitest'
import { parseMailbox } from '../../src/kernel/text/mailbox'

describe('a mailbox', () => {
  it.each([
    ['d@x.example', null, 'd@x.example'],
    ['<d@x.example>', null, 'd@x.example'],
    ['Docks <d@x.example>', 'Docks', 'd@x.example'],
    [' North Dock  Office <d@x.example> ', 'North Dock Office', 'd@x.example'],
    ['"Docks" <d@x.example>', 'Docks', 'd@x.example'],
    ['"Docks, \\"North\\" <1>" <d@x.example>', 'Docks, "North" <1>', 'd@x.example'],
    ['Dr. Köhler <d@x.example>', 'Dr. Köhler', 'd@x.example'],
    ['d@x.example (Docks)', 'Docks', 'd@x.example'],
    ['"loading docks"@x.example', null, '"loading docks"@x.example'],
  ])('is read: %s', (text, name, address) => {
    expect(parseMailbox(text)).toEqual({ name, address })
  })

  it.each([
    '',
    'Docks',
    'd@',
    'Docks d@x.example>',
    'Docks <d@x.example',
    '<d@x.example> Docks',
    'a@x.example, b@x.example',
    'Group: a@x.example;',
    'Docks <a@x.example> <b@x.example>',
    'Docks <d@x.example>\r\nBcc: z@x.example',
    '"Docks\n" <d@x.example>',
    '"Docks <d@x.example>',
    'd@x.example (Docks) (North)',
  ])('is refused: %j', (text) => {
    expect(parseMailbox(text)).toBeNull()
  })
})
