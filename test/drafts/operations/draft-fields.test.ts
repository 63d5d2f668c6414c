import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { listDraftHistory } from '../../../src/drafts/operations/list-draft-history'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { undoDraft } from '../../../src/drafts/operations/undo-draft'
import { formatDraftFile, parseDraftFile } from '../../../src/drafts/rules/draft-file'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { openTestWorkspace } from '../../items/test-workspace'
import { type Faults, resetAfter, respondUnavailable } from '../../sandbox/fault-presets'

const STORY = 204
const RISK = 'Microsoft.VSTS.Common.Risk'

/** A workspace in which draft 1 sets the risk, with the story cached. */
async function openWithDraft(
  fields: Record<string, unknown> = { Risk: '2 - medium' },
  more: { faults?: Faults; clock?: { now(): number } } = {},
) {
  const workspace = await openTestWorkspace(more)
  await workspace.changeRemotely(STORY, { [RISK]: '1 - High' })
  await workspace.run(importFeature, { featureId: 101 })
  await workspace.run(saveDraft, { title: 'Zebra', fields })
  const customFields = async (id: number) => (await workspace.run(getItem, { id })).customFields
  return {
    ...workspace,
    customFields,
    save: (input: object) => workspace.run(saveDraft, { id: 1, ...input }),
    publish: (input: object = {}) => workspace.run(publishDraft, { id: 1, ...input }),
  }
}

describe('the fields of the tracker that a draft has', () => {
  it('are saved as a whole, and an empty text is null', async () => {
    const { run, save } = await openWithDraft()
    expect((await save({ fields: { 'Value Area': 'Business', Risk: '' } })).fields).toEqual({
      'Value Area': 'Business',
      Risk: null,
    })
    expect((await save({ title: 'Zebras' })).fields).toEqual({ 'Value Area': 'Business', Risk: null })
    expect((await save({ fields: null })).fields).toEqual({})
    const { versions } = await run(listDraftHistory, { id: 1 })
    expect(versions.map(({ changed }: { changed: string[] }) => changed)).toEqual([
      ['fields'],
      ['title'],
      ['fields'],
      [],
    ])
    await run(undoDraft, { id: 1 })
    expect(await run(getDraft, { id: 1 })).toMatchObject({ fields: { 'Value Area': 'Business', Risk: null } })
  })

  it('are not changed by a save of the same in another order', async () => {
    const { save } = await openWithDraft({ a: 1, b: '2' })
    const { updatedAt } = await save({ fields: { a: 1, b: '2' } })
    expect((await save({ fields: { b: '2', a: 1 } })).updatedAt).toBe(updatedAt)
  })

  it('say in an error of a late save what they were and are', async () => {
    const { save } = await openWithDraft({ Risk: 'x' })
    const { updatedAt } = await save({ title: 'Zebras' })
    await save({ fields: { Risk: 'y' } })
    await expect(save({ title: 'Gates', updatedAt })).rejects.toMatchObject({
      code: 'stale_revision',
      details: [{ path: 'updatedAt' }, { path: 'fields', message: 'is now “Risk: y”, it was “Risk: x”' }],
    })
  })

  it('are lines below `fields` in a file, which takes lists and empty values too', () => {
    const file = '---\ntitle: Zebra\nfields:\n  Risk: 1 - High\n  Teams: [a, b]\n  Customer:\n---\n'
    const read = parseDraftFile(file, 'story.md')
    expect(read['fields']).toEqual({ Risk: '1 - High', Teams: 'a; b', Customer: null })
    expect(formatDraftFile({ title: 'Zebra', fields: read['fields'] as Record<string, string> })).toContain(
      'fields:\n  Risk: 1 - High\n  Teams: a; b\n  Customer:\n',
    )
    expect(parseDraftFile('---\nfields:\n---\n', 'story.md')).toMatchObject({ fields: {} })
    expect(() => parseDraftFile('---\nfields: [1]\n---\n', 'story.md')).toThrow('"fields" in the front matter must')
    expect(() => parseDraftFile('---\nfields:\n  A: {b: 1}\n---\n', 'story.md')).toThrow('"A" in the front matter must')
  })

  it('are set by the command line in place of all that the draft has', () => {
    const toInput = saveDraft.cli!.toInput!
    expect(toInput({ id: 1, set: ['Risk=1 - High', 'Customer='] })).toEqual({
      id: 1,
      fields: { Risk: '1 - High', Customer: '' },
    })
  })
})

describe('publishing a draft with fields of the tracker', () => {
  it('creates the item with them, as the tracker spells their values', async () => {
    const { publish, customFields } = await openWithDraft()
    const { itemId, changes } = await publish({ type: 'User Story' })
    expect(changes).toContainEqual(expect.objectContaining({ field: 'Risk', to: '2 - Medium' }))
    expect(await customFields(itemId)).toMatchObject({ Risk: '2 - Medium' })
  })

  it('sends only what was changed since, and null clears a field', async () => {
    const { publish, save, customFields, changeRemotely } = await openWithDraft({
      Risk: '2 - Medium',
      'Target Date': '',
    })
    const { itemId } = await publish({ type: 'User Story' })
    await changeRemotely(itemId, { 'Microsoft.VSTS.Common.ValueArea': 'Architectural' })
    await save({ title: 'Zebras' })
    expect((await publish()).changes).toMatchObject([{ field: 'Title' }])
    await save({ fields: { Risk: null } })
    expect((await publish()).changes).toMatchObject([{ field: 'Risk', from: '2 - Medium', to: null }])
    expect(await customFields(itemId)).toEqual(expect.not.objectContaining({ Risk: expect.anything() }))
    await save({ fields: {} })
    expect((await publish()).changes).toEqual([])
  })

  it.each([
    ['a new item', { type: 'User Story' }],
    ['an item that exists', { to: STORY }],
  ])('names every wrong field and the allowed values before anything is sent: %s', async (_, how) => {
    const { publish, asked } = await openWithDraft({ Rsk: '1', Risk: 'Bogus' })
    asked()
    const error = await publish(how).catch((one: unknown) => one)
    expect(error).toMatchObject({
      code: 'invalid',
      details: [
        { path: 'Rsk', message: 'is not a field of this tracker; did you mean "Risk"?' },
        { path: 'Risk', message: expect.stringMatching(/1 - High, 2 - Medium, 3 - Low/) },
      ],
      hint: expect.arrayContaining([expect.objectContaining({ operation: 'drafts.save', input: { id: 1 } })]),
    })
    expect(asked().filter((request) => /^(PATCH|POST)/.test(request) && !/batch|wiql/i.test(request))).toEqual([])
  })

  it('refuses a text that the draft has itself', async () => {
    const { publish } = await openWithDraft({ Title: 'Other' })
    for (const how of [{ type: 'User Story' }, { to: STORY }])
      await expect(publish(how)).rejects.toMatchObject({ details: [{ message: 'is a text of the draft' }] })
  })

  it('lets the call set another value, in any spelling of the name', async () => {
    const { publish, customFields } = await openWithDraft({ risk: 'Bogus' })
    const { itemId } = await publish({ type: 'User Story', updates: { Risk: '3 - Low' } })
    expect(await customFields(itemId)).toMatchObject({ Risk: '3 - Low' })
  })

  it('is a conflict if somebody else has changed the same field, until the call settles it', async () => {
    const { publish, save, customFields, changeRemotely } = await openWithDraft()
    const { itemId } = await publish({ type: 'User Story' })
    await changeRemotely(itemId, { [RISK]: '3 - Low' })
    await save({ fields: { Risk: '1 - High' } })
    await expect(publish()).rejects.toMatchObject({
      code: 'stale_revision',
      details: [{ path: RISK, was: '2 - Medium', now: '3 - Low', draft: '1 - High' }],
    })
    expect((await publish({ dryRun: true })).conflicts).toMatchObject([{ field: 'Risk', base: '2 - Medium' }])
    expect((await publish({ prefer: 'tracker' })).changes).toEqual([])
    expect(await customFields(itemId)).toMatchObject({ Risk: '3 - Low' })
    // The draft has seen nothing of the other value, so that it stays with later publications.
    await save({ title: 'Zebras' })
    expect(await publish()).toMatchObject({
      changes: [{ field: 'Title' }],
      notes: ['Risk was changed in the tracker, and draft 1 has an older value, which was not sent.'],
    })
    await save({ fields: { Risk: '2 - Medium' } })
    expect((await publish({ prefer: 'draft' })).changes).toMatchObject([{ field: 'Risk', to: '2 - Medium' }])
  })

  it('is a conflict without a common version, unless the field of the item is empty', async () => {
    const { publish, changeRemotely } = await openWithDraft({ Risk: '3 - Low', 'Value Area': 'Business' })
    const { conflicts } = await publish({ to: STORY, dryRun: true })
    expect(conflicts.map(({ field }: { field: string }) => field)).toContain('Risk')
    await changeRemotely(STORY, { [RISK]: '' })
    const after = await publish({ to: STORY, dryRun: true })
    expect(after.conflicts.map(({ field }: { field: string }) => field)).not.toContain('Risk')
  })

  it('sends later what was changed between a lost answer and the next call', async () => {
    let isCut = false
    let now = Date.now()
    const { publish, save, customFields } = await openWithDraft(
      { Risk: '2 - Medium' },
      {
        clock: { now: () => now },
        faults: ({ path }) => {
          if (!isCut) return null
          if (/workitems\/(\$|%24)/.test(path)) return resetAfter()
          return path.includes('wiql') ? respondUnavailable() : null
        },
      },
    )
    isCut = true
    await expect(publish({ type: 'User Story' })).rejects.toMatchObject({ code: 'tracker_timeout' })
    isCut = false
    now += 4 * 60_000
    await save({ fields: { Risk: '1 - High' } })
    const { itemId, notes } = await publish({ type: 'User Story' })
    expect(notes.join(' ')).toContain('publish the draft again to send later changes')
    expect(await customFields(itemId)).toMatchObject({ Risk: '2 - Medium' })
    expect((await publish()).changes).toMatchObject([{ field: 'Risk', to: '1 - High' }])
    expect(await customFields(itemId)).toMatchObject({ Risk: '1 - High' })
  })
})

describe('copying an item into a draft', () => {
  it('leaves out the further fields of the tracker unless they are named', async () => {
    const { run } = await openWithDraft()
    expect(await run(copySanitize, { id: STORY })).toMatchObject({ fields: {} })
    expect(await run(copySanitize, { id: STORY, customFields: 'risk' })).toMatchObject({ fields: { Risk: '1 - High' } })
    expect(await run(copySanitize, { id: STORY, customFields: ['Risk'], cached: true })).toMatchObject({
      fields: { Risk: '1 - High' },
    })
  })

  it('refuses people, fields that only the tracker sets, and unknown names', async () => {
    const { run } = await openWithDraft()
    const copy = (customFields: string) => run(copySanitize, { id: STORY, customFields })
    await expect(copy('Activated By')).rejects.toMatchObject({ details: [{ path: 'customFields' }] })
    await expect(copy('Rsk')).rejects.toMatchObject({
      details: [{ path: 'customFields', message: expect.stringContaining('did you mean "Risk"') }],
    })
  })

  it('starts from the copied values: publishing the draft back sends only what was changed', async () => {
    const { run, customFields } = await openWithDraft()
    const { id } = await run(copySanitize, { id: STORY, customFields: 'Risk,Value Area', titleSuffix: '' })
    expect((await run(publishDraft, { id, to: STORY })).changes).toEqual([])
    const { fields } = await run(getDraft, { id })
    await run(saveDraft, { id, fields: { ...fields, Risk: '3 - Low' } })
    expect((await run(publishDraft, { id, to: STORY })).changes).toMatchObject([{ field: 'Risk' }])
    expect(await customFields(STORY)).toMatchObject({ Risk: '3 - Low' })
  })
})
