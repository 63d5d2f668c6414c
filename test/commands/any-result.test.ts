import { expect, it } from 'vitest'
import { colorsFor } from '../../commands/terminal/colors'
import { renderAnyResult } from '../../commands/views/any-result'

const canvas = { colors: colorsFor('out', { isTty: false, env: {}, noColor: true }), width: 80 }

it('an answer that only says what was done is one line, on which no text of others begins another', () => {
  expect(renderAnyResult({ status: 'success', message: 'Removed the webhook x\u001b[2J\nok.' }, canvas)).toMatch(
    /^✓ Removed the webhook x.*ok\.\n$/,
  )
  expect(renderAnyResult({ status: 'success', message: 'Done.', count: 3 }, canvas)).toMatch(/count +3/)
})
