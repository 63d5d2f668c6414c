import { describe, expect, it } from 'vitest'
import { servedConsole } from './console-fixtures'
import { readForms } from './read-form'

const HOSTILE = '</textarea><script>alert(1)</script>'

async function openDraft(draft: object) {
  const service = await servedConsole()
  const { id } = await service.run('drafts.save', { title: 'Doors', ...draft })
  const form = async () => readForms((await service.open(`/console/drafts/${id}`)).text, 'drafts.save')[0]!.fields
  const save = (fields: object) => service.send('/console/run/drafts.save', fields)
  return { ...service, id, form, save, get: () => service.run('drafts.get', { id }) }
}

describe('a draft that two people write', () => {
  it('keeps what both have changed in different fields, and shows it in the editor that saves last', async () => {
    const { id, run, form, save, get } = await openDraft({ description: 'One' })
    const mine = await form()
    await run('drafts.save', { id, title: 'Gates' })
    const saved = await save({ ...mine, description: 'Two' })
    expect(saved).toMatchObject({ status: 200, body: { values: { title: 'Gates', description: 'Two' } } })
    expect(await get()).toMatchObject({ title: 'Gates', description: 'Two', updatedAt: saved.body.values.updatedAt })
  })

  it('is merged where both have changed different paragraphs of one text', async () => {
    const { id, run, form, save, get } = await openDraft({ description: 'First\n\nSecond\n\nThird' })
    const mine = await form()
    await run('drafts.save', { id, description: 'First of theirs\n\nSecond\n\nThird' })
    const refused = await save({ ...mine, description: 'First\r\n\r\nSecond\r\n\r\nThird of mine', storyPoints: '5' })
    expect(refused.status).toBe(409)
    const [merging] = readForms(refused.body.html, 'drafts.save')
    expect(merging!.text).toContain('Both changes fit together.')
    expect(merging!.fields).toMatchObject({ 'choice.description': 'result', storyPoints: '5' })
    await save(merging!.fields)
    expect(await get()).toMatchObject({
      description: 'First of theirs\n\nSecond\n\nThird of mine',
      storyPoints: 5,
      title: 'Doors',
    })
  })

  it.each([
    ['result', 'Edited by hand'],
    ['yours', 'Mine alone\nAnd more'],
    ['theirs', `Theirs ${HOSTILE}`],
  ])('is saved as its writer chooses where both have changed the same: %s', async (choice, expected) => {
    const { id, run, form, save, get } = await openDraft({ description: 'Start\nEnd' })
    const mine = await form()
    await run('drafts.save', { id, description: `Theirs ${HOSTILE}` })
    const refused = await save({ ...mine, description: 'Mine alone\nAnd more' })
    expect(refused.body.html).not.toContain('<script')
    const [merging] = readForms(refused.body.html, 'drafts.save')
    expect(merging!.text).toContain('Both have changed the same lines.')
    expect(merging!.fields).not.toHaveProperty('choice.description')
    const edited = choice === 'result' ? { description: 'Edited by hand' } : {}
    await save({ ...merging!.fields, ...edited, 'choice.description': choice })
    expect((await get()).description).toBe(expected)
  })

  it('loses nothing also if the version that a page was drawn with is not known any more', async () => {
    const { form, save, get } = await openDraft({ description: 'Theirs' })
    const mine = { ...(await form()), updatedAt: '2020-01-01T00:00:00.000Z', description: 'Mine' }
    expect((await save(mine)).status).toBe(409)
    expect(await get()).toMatchObject({ description: 'Theirs' })
  })

  it('has fields that are cleared, and is not saved again if nothing was changed', async () => {
    const { form, save, get } = await openDraft({ description: 'One', storyPoints: 3, tags: 'a; b' })
    await save({ ...(await form()), description: '', storyPoints: '', tags: '' })
    const cleared = await get()
    expect(cleared).toMatchObject({ title: 'Doors', description: null, storyPoints: null, tags: null })
    expect((await save(await form())).body).toMatchObject({ message: 'Nothing was changed.' })
    expect((await get()).updatedAt).toBe(cleared.updatedAt)
  })
})
