import { describe, expect, it } from 'vitest'
import { type ConsoleServed, servedConsole } from './console-fixtures'
import { readForms } from './read-form'

const HOSTILE = '</textarea><img src=x onerror=alert(1)>'

interface Publishing extends ConsoleServed {
  /** The forms of the page that publishes a draft. */
  forms(id: number): Promise<Record<string, any>[]>
  publish(fields: object): Promise<any>
}

async function open(): Promise<Publishing> {
  const service = await servedConsole()
  const { run } = service
  const cookie = await service.signIn((await run('sessions.create-link', {})).path.split('#')[1])
  return {
    ...service,
    forms: async (id) =>
      readForms((await service.open(`/console/drafts/${id}/publish`, cookie)).text, 'items.publish-draft').map(
        ({ fields }) => fields,
      ),
    publish: (fields) => service.send('/console/run/items.publish-draft', fields, cookie),
  }
}

const formIn = (answer: any) => readForms(answer.body.html, 'items.publish-draft')[0]!

describe('the page that publishes a draft', () => {
  it('creates an item once its plan was seen, and links to it', async () => {
    const { run, forms, publish, open: load } = await open()
    const { id } = await run('drafts.save', { title: `Late ${HOSTILE}`, description: 'One', storyPoints: 3 })
    const [form] = await forms(id)
    const plan = await publish({ ...form, type: 'User Story', parentId: '101' })
    expect(plan.status).toBe(200)
    expect(plan.body.html).not.toContain('<img')
    const sending = formIn(plan)
    expect(plan.body.html).toContain('A new User Story below')
    expect((await run('drafts.get', { id })).publications).toEqual([])
    const sent = await publish(sending.fields)
    expect(sent.body).toMatchObject({ message: 'The draft was published.' })
    const [publication] = (await run('drafts.get', { id })).publications
    expect(await run('items.get', { id: publication.itemId })).toMatchObject({ storyPoints: 3, parentId: 101 })
    expect((await load(`/console/drafts/${id}`)).text).toContain(`href="/console/work/items/${publication.itemId}"`)
  })

  it('shows the plan again if it has changed since it was seen', async () => {
    const { run, forms, publish } = await open()
    const { id } = await run('drafts.save', { title: 'Late' })
    const [form] = await forms(id)
    const sending = formIn(await publish({ ...form, type: 'User Story' }))
    await run('drafts.save', { id, title: 'Later' })
    const again = await publish(sending.fields)
    expect(again.body.html).toContain('Later')
    expect((await run('drafts.get', { id })).publications).toEqual([])
    expect((await publish(formIn(again).fields)).body.message).toBe('The draft was published.')
  })

  it.each([
    ['yours', 'Ours'],
    ['theirs', 'Theirs'],
  ])('merges what draft and tracker have both changed, as chosen: %s', async (choice, expected) => {
    const { run, forms, publish } = await open()
    const { id } = await run('drafts.copy-sanitize', { id: 204 })
    await run('drafts.save', { id, title: 'Ours', storyPoints: 13 })
    await run('items.batch-update', { itemIds: [204], updates: { Title: 'Theirs' } })
    const [form] = await forms(id)
    const refused = await publish(form!)
    const conflicts = formIn(refused)
    expect(conflicts.text).toMatch(/Yours: Ours[\s\S]*Theirs: Theirs/)
    const plan = await publish({ ...conflicts.fields, 'choice.title': choice })
    const sent = await publish(formIn(plan).fields)
    expect(sent.body.message).toBe('The draft was published.')
    expect(await run('items.get', { id: 204 })).toMatchObject({ title: expected, storyPoints: 13 })
  })

  it('takes the edited result of a text that both have changed', async () => {
    const { run, forms, publish } = await open()
    const { id } = await run('drafts.copy-sanitize', { id: 204 })
    await run('drafts.save', { id, description: 'Ours' })
    await run('items.batch-update', { itemIds: [204], updates: { Description: 'Theirs' } })
    const [form] = await forms(id)
    const conflicts = formIn(await publish(form!))
    expect(conflicts.text).toContain('the result')
    const chosen = { 'choice.description': 'result', 'result.description': 'Both of us' }
    const plan = await publish({ ...conflicts.fields, ...chosen })
    await publish(formIn(plan).fields)
    expect((await run('items.get', { id: 204 })).description).toContain('Both of us')
  })
})
