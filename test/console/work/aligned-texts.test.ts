import { describe, expect, it } from 'vitest'
import { alignTexts } from '../../../src/console/pages/work/aligned-texts'

const show = async (before: string, after: string) => String(await alignTexts(before, after))

describe('a text beside what is left of it', () => {
  it('marks what was removed, with its kind, and what is in its place', async () => {
    const shown = await show('Ask jane@example.com today.', 'Ask [email removed] today.')
    expect(shown).toContain('Ask <mark class="removed" title="Removed: email">jane@example.com</mark> today.')
    expect(shown).toContain('Ask <mark>[email removed]</mark> today.')
  })

  it('marks the whole name of a person as one', async () => {
    const shown = await show('@Priya Nair please check', '@someone please check')
    expect(shown).toContain('<mark class="removed" title="Removed: mention">@Priya Nair</mark> please check')
  })

  it('begins the same block in the same row', async () => {
    const shown = await show('One a@b.example\n\nTwo', 'One [email removed]\n\nTwo')
    expect(shown.match(/<div class="pair">/g)).toHaveLength(2)
    expect(shown).toContain('<div class="pair"><div>Two</div><div>Two</div></div>')
  })

  it('is not compared if it is very long, because other calls wait meanwhile', async () => {
    const long = 'a@b.example <b> '.repeat(10_000)
    const shown = await show(long, long.replaceAll('a@b.example', '[email removed]'))
    expect(shown).toContain('a@b.example &lt;b&gt; a@b.example')
    expect(shown).not.toContain('<mark')
  })

  it('shows hostile texts as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>'
    expect(await show(hostile, '[link removed]')).not.toContain('<img')
    expect(await show('a', hostile)).not.toContain('<img')
  })
})
