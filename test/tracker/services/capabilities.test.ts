import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadAllOperations } from '../../../src/catalog'
import { fieldsOf, flagsOf } from '../../../src/kernel'
import { getAdapter, getCapabilities, isOffered, TRACKER_KINDS } from '../../../src/tracker'
import type { ItemProperty, LinkKind } from '../../../src/tracker/tracker'

describe('a capability', () => {
  it('is offered if one of the trackers has it', () => {
    expect(isOffered('link:related', ['github'])).toBe(false)
    expect(isOffered('link:related', ['github', 'jira'])).toBe(true)
    expect(isOffered('property:areaPath', ['github', 'jira'])).toBe(false)
    expect(isOffered('property:areaPath', ['azure-devops'])).toBe(true)
    expect(isOffered('link:related', [])).toBe(false)
  })
})

describe('the catalog', () => {
  it('names capabilities that a tracker has, and fields that its operations have', async () => {
    for (const op of await loadAllOperations()) {
      for (const [path, need] of Object.entries(op.fieldNeeds ?? {})) {
        expect(isOffered(need, TRACKER_KINDS), `${op.id} ${need}`).toBe(true)
        const [field, criterion] = path.split('.')
        expect(
          fieldsOf(op.input).map(({ name }) => name),
          op.id,
        ).toContain(field)
        if (criterion)
          expect(
            flagsOf(op).map(({ key }) => key),
            op.id,
          ).toContain(criterion)
      }
    }
  })
})

describe('the page about trackers', () => {
  const page = readFileSync('docs/reference/trackers.md', 'utf8')
  const kinds = TRACKER_KINDS.map(getCapabilities)
  const row = (name: string, values: readonly string[]) => `| ${[name, ...values].join(' | ')} |`
  const yesNo = (values: readonly boolean[]) => values.map((value) => (value ? 'yes' : 'no'))

  it('has a column for each kind', () => {
    expect(page).toContain(
      row(
        '',
        TRACKER_KINDS.map((kind) => getAdapter(kind).product),
      ).replace('|  |', '| |'),
    )
  })

  it.each<[string, LinkKind]>([
    ['parent and children', 'parent'],
    ['parent and children', 'child'],
    ['predecessors', 'predecessor'],
    ['successors', 'successor'],
    ['related items', 'related'],
  ])('says who has links to %s (%s)', (name, kind) => {
    expect(page).toContain(row(`link: ${name}`, yesNo(kinds.map(({ linkKinds }) => linkKinds.includes(kind)))))
  })

  it.each<[string, ItemProperty]>([
    ['title', 'title'],
    ['state', 'state'],
    ['assignee', 'assignedTo'],
    ['description', 'description'],
    ['tags', 'tags'],
    ['iteration', 'iterationPath'],
    ['story points', 'storyPoints'],
    ['priority', 'priority'],
    ['area', 'areaPath'],
    ['acceptance criteria', 'acceptanceCriteria'],
  ])('says where %s can be set', (name, property) => {
    expect(page).toContain(row(`field: ${name}`, yesNo(kinds.map(({ properties }) => properties.includes(property)))))
  })

  it('says how texts are stored, changes found and revisions tested', () => {
    expect(page).toContain(
      row(
        'long texts and comments',
        kinds.map(({ textFormat }) => (textFormat === 'html' ? 'HTML' : 'Markdown')),
      ),
    )
    expect(page).toContain(row('lists what has changed', yesNo(kinds.map(({ listsChanges }) => listsChanges))))
    expect(page).toContain(row('tests revisions itself', yesNo(kinds.map(({ testsRevisions }) => testsRevisions))))
  })
})
