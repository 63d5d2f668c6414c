import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { colorsFor } from '../../commands/terminal/colors'
import { renderCheckUp } from '../../commands/views/storage'

const colors = colorsFor('out', { isTty: false, env: {}, noColor: false })
const message = 'Callers on this machine need no credential; all others a token, which studio token create makes.'
const fix = 'Start the model with ollama serve, and fetch one that it can run with ollama pull llama3.2, once.'
const seen = { findings: [{ about: 'time zones', level: 'warning' as const, message, fix }], repair: null }

describe('the output of studio doctor', () => {
  it('wraps at words beside its heading on a terminal', () => {
    const lines = renderCheckUp(seen, { colors, width: 60 }).split('\n')
    expect(lines.filter((line) => stringWidth(line) > 60)).toEqual([])
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(`! time zones ${message} → ${fix}`)
    expect(lines.slice(0, 5).map((line) => line.search(/[A-Za-z→]/))).toEqual([2, 14, 14, 14, 16])
  })

  it('prints a finding on one line in a pipe', () => {
    expect(renderCheckUp(seen, { colors, width: null }).split('\n').slice(0, 2)).toEqual([
      `! time zones  ${message}`,
      `              → ${fix}`,
    ])
  })
})
