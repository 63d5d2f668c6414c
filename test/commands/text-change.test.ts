import { describe, expect, it } from 'vitest'
import { colorsFor } from '../../commands/terminal/colors'
import { isTextChange, renderTextChange } from '../../commands/views/stories/text-change'

const canvas = { colors: colorsFor('out', { isTty: false, env: {}, noColor: false }), width: 40 }

describe('a change of a long text', () => {
  it('is shown by its readable lines, without markup and without secrets', () => {
    const from = '<p style="color:red">Token: ghp_R7tVq2Lx9KdPz4Wn6HsYb3Mc8JfGa5Te1UoX</p><p>Stays as it is</p>'
    expect(renderTextChange({ from, to: '<p>Ask the team</p><p>Stays as it is</p>' }, canvas)).toBe(
      '- Token: [secret removed]\n+ Ask the team\n  Stays as it is\n',
    )
  })

  it('shows the mention of a person as the name', () => {
    const mention = '[@Mei Tanaka](mention:8d2e4a17-5b93-4c68-8f20-1d3c9f7e8a02)'
    const change = { from: `Ask ${mention}\n\nSoon`, to: 'Ask @Mei Tanaka\n\nNow', storedAs: 'html' }
    expect(renderTextChange(change, canvas)).toBe('  Ask @Mei Tanaka\n- Soon\n+ Now\n')
  })

  it('says so if only markup changes', () => {
    expect(renderTextChange({ from: '<p>One</p>', to: '<div>One</div>' }, canvas)).toBe('Only its markup changes.\n')
  })

  it('is distinguished from a short value', () => {
    expect(isTextChange({ from: 'Active', to: 'Closed' })).toBe(false)
    expect(isTextChange({ from: null, to: '<b>x</b>' })).toBe(true)
  })
})
