import { expect, it } from 'vitest'
import { servedConsole } from '../console-fixtures'
import { readForms } from '../read-form'

const COPY = '/console/work/items/204/copy'

it('copies the fields of the tracker that are chosen, and shows their values first', async () => {
  const { run, open, send } = await servedConsole()
  await run('features.import', { featureId: 101 })
  await run('items.batch-update', { itemIds: [204], updates: { Risk: '1 - High' } })
  const { text } = await open(COPY)
  expect(text).toMatch(/<select name="customFields\[\]"[^>]*multiple[^>]*>[\s\S]*<option value="Risk">Risk<\/option>/)
  expect(text).not.toContain('<h3>Risk</h3>')
  const { text: chosen } = await open(`${COPY}?customFields[]=Risk&customFields[]=Value+Area`)
  expect(chosen).toContain('<option value="Risk" selected>')
  expect(chosen).toContain('<h3>Risk</h3>')
  const [form] = readForms(chosen, 'drafts.copy-sanitize')
  const sent = await send('/console/run/drafts.copy-sanitize', form!.fields)
  expect([sent.status, sent.body.location]).toEqual([200, '/console/drafts/1?done=drafts.copy-sanitize'])
  expect((await run('drafts.get', { id: 1 })).fields).toEqual({ Risk: '1 - High', 'Value Area': 'Business' })
})

it('copies none where one of them must not be copied, and says why', async () => {
  const { run, open } = await servedConsole()
  await run('features.import', { featureId: 101 })
  for (const name of ['Created By', 'Rsik', '__proto__', '<b>x</b>']) {
    const { status, text } = await open(`${COPY}?customFields[]=${encodeURIComponent(name)}`)
    expect([name, status]).toEqual([name, 200])
    expect(text).toContain('No field of the tracker is copied:')
    expect(text).not.toContain('<b>x</b>')
    expect(readForms(text, 'drafts.copy-sanitize')[0]!.fields).not.toHaveProperty('customFields[]')
  }
})
