import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/search/rules/parse-query'
import { MAX_QUERY_PARTS } from '../../src/search/rules/query-limits'
import { SearchWork } from '../../src/search/rules/search-work'
import type { Entity } from '../../src/search/services/entity'
import type { SearchIndex, SearchOptions } from '../../src/search/services/search-index'
import { entity } from './sample'

/** The behavior of every index implementation. `open` creates an index with these entities. */
export function describeIndex(where: string, open: (entities: readonly Entity[]) => Promise<SearchIndex>): void {
  async function searchOver(entities: readonly Entity[]) {
    const index = await open(entities)
    const run = async (q: string, options: Partial<SearchOptions> = {}) =>
      index.search(parseQuery(q, null), { limit: 200, ...options })
    /** IDs in the order of the results. */
    const ids = async (q: string, options?: Partial<SearchOptions>) => (await run(q, options)).hits.map((hit) => hit.id)
    return {
      run,
      ids,
      /** IDs in numeric order, for tests that do not depend on the rank. */
      idSet: async (q: string, options?: Partial<SearchOptions>) => (await ids(q, options)).sort((a, b) => a - b),
    }
  }

  describe(`an index ${where}`, () => {
    describe('results', () => {
      it('contain any of the words; more or rarer words rank higher', async () => {
        const { ids, run } = await searchOver([
          entity(1, 'Paint the hall'),
          entity(2, 'Repair a door'),
          entity(3, 'Repair the dock door'),
          entity(4, 'Sweep the dock'),
          entity(5, 'Grease a door'),
        ])
        expect(await ids('old dock door ')).toEqual([3, 4, 5, 2])
        expect((await run('dock door ')).total).toBe(4)
      })

      it('do not depend on case, accents, endings or the way words are joined', async () => {
        const { ids, idSet } = await searchOver([
          entity(1, 'Dock doors'),
          entity(2, 'Rampe für Straßenbahn'),
          entity(3, 'dockDoor controller'),
          entity(4, 'The timeout of a call'),
        ])
        expect(await idSet('DOCK ')).toEqual([1, 3])
        expect(await idSet('docking door')).toEqual([1, 3])
        expect(await ids('strassenbahn fur')).toEqual([2])
        expect(await ids('dockdoor ')).toEqual([3])
        expect(await idSet('dock-door ')).toEqual([1, 3])
        expect(await ids('time limit')).toEqual([])
        expect(await ids('call time out')).toEqual([4])
      })

      it('include text in scripts without spaces', async () => {
        const { ids } = await searchOver([entity(1, '日本語のテスト'), entity(2, '黒猫'), entity(3, '中国語')])
        expect(await ids('テスト')).toEqual([1])
        expect(await ids('猫')).toEqual([2])
        expect(await ids('"日本"')).toEqual([1])
      })

      it('include items whose assignee has this name', async () => {
        const dana = { displayName: 'Dana Ray', uniqueName: 'dana@example.com' }
        const { ids } = await searchOver([
          entity(1, 'Conveyor', { assignedTo: dana }),
          entity(2, 'Gate'),
          entity(3, 'X-ray of a conveyor'),
        ])
        expect((await ids('Dana Ray '))[0]).toBe(1)
        expect(await ids('"dana ray"')).toEqual([1])
      })

      it('do not match the placeholders of sanitized secrets', async () => {
        const { ids } = await searchOver([
          entity(1, 'Call [phone removed]', { description: 'Ask [email removed] or [secret removed].' }),
          entity(2, 'The phone was removed'),
        ])
        expect(await ids('phone removed ')).toEqual([2])
        expect(await ids('secret ')).toEqual([])
      })

      it('can be empty', async () => {
        const { run } = await searchOver([entity(1, 'Dock door')])
        for (const q of ['xylophone', '?!', 'in:title', '""']) expect(await run(q)).toEqual({ total: 0, hits: [] })
        expect(await (await searchOver([])).run('dock')).toEqual({ total: 0, hits: [] })
      })

      it('match stop words if the query has no other words', async () => {
        const { ids } = await searchOver([entity(1, 'To be'), entity(2, 'Dock')])
        expect(await ids('to be')).toEqual([1])
      })
    })

    describe('rank', () => {
      it('counts titles most, then tags, acceptance criteria and descriptions', async () => {
        const rest = { tags: ['yard'], criteria: 'yard', description: 'yard' }
        const { ids } = await searchOver([
          entity(1, 'Yard', { ...rest, description: 'conveyor' }),
          entity(2, 'Yard', { ...rest, criteria: 'conveyor' }),
          entity(3, 'Yard', { ...rest, tags: ['conveyor'] }),
          entity(4, 'Conveyor', rest),
        ])
        expect(await ids('the conveyor ')).toEqual([4, 3, 2, 1])
      })

      it('puts a title that begins with the query first, regardless of its length', async () => {
        const { ids } = await searchOver([
          entity(1, 'Door dock', { description: 'dock door dock door' }),
          entity(2, 'Dock doors of the northern hall need a new coat of paint before the winter comes'),
        ])
        expect(await ids('dock door ')).toEqual([2, 1])
      })

      it('puts a title that equals the query before one that only begins with it', async () => {
        const copy = { type: 'draft' as const, description: 'dock door dock door dock door' }
        const { ids } = await searchOver([
          entity(1, 'Dock door', { description: 'A long text about quite other things. '.repeat(9) }),
          entity(2, 'Dock door - Copy', copy),
        ])
        expect(await ids('dock door')).toEqual([1, 2])
      })

      it('orders ties by date, newest first, and entities without a date last', async () => {
        const { ids } = await searchOver([
          entity(1, 'Dock', { updatedAt: '2026-01-01T00:00:00.000Z' }),
          entity(2, 'Dock', { updatedAt: '2026-03-01T00:00:00.000Z' }),
          entity(3, 'Dock', { updatedAt: null }),
          entity(4, 'Dock', { updatedAt: '2026-02-01T00:00:00.000Z' }),
        ])
        expect(await ids('dock')).toEqual([2, 4, 1, 3])
      })

      it('is reflected in decreasing scores', async () => {
        const { run } = await searchOver([
          entity(1, 'Dock door'),
          entity(2, 'Old door'),
          entity(3, 'A dock and a door'),
        ])
        const scores = (await run('dock door ')).hits.map((hit) => hit.score)
        expect(scores).toEqual([...scores].sort((a, b) => b - a))
        expect(scores.every((score) => score > 0)).toBe(true)
      })
    })

    describe('IDs', () => {
      it('rank before entities that only mention the number', async () => {
        const { ids } = await searchOver([
          entity(204, 'Conveyor'),
          entity(1, '204 doors'),
          entity(2, 'Door', { description: 'see #204' }),
        ])
        expect(await ids('204')).toEqual([204, 1, 2])
        expect(await ids('#204')).toEqual([204, 1, 2])
        expect((await ids('door #204'))[0]).toBe(204)
      })

      it('also rank first next to words, in a URL or with a prefix', async () => {
        const { ids } = await searchOver([
          entity(501, 'Conveyor'),
          entity(1, 'Bug 501 of the printer'),
          entity(12, 'Gate'),
          entity(2, 'Bug in a gate'),
        ])
        for (const q of ['bug 501', 'bug 501:', 'printer 501', 'AB#501', 'see AB#501 printer']) {
          expect((await ids(q))[0]).toBe(501)
        }
        expect((await ids('bug 12 '))[0]).toBe(12)
        expect(await ids('https://dev.example.com/org/project/_workitems/edit/501')).toEqual([501])
      })

      it('are not matched by a short number among words', async () => {
        const { ids } = await searchOver([entity(2, 'Conveyor'), entity(9, 'Phase 2')])
        expect(await ids('phase 2')).toEqual([9])
      })
    })

    describe('numbers', () => {
      it('of versions and addresses are found by their beginning, versions with and without a v', async () => {
        const { ids, idSet } = await searchOver([
          entity(1, 'Upgrade to v1.2.3'),
          entity(2, 'Upgrade to 1.2.3'),
          entity(3, 'Upgrade to 1.20'),
          entity(4, 'No answer from 192.168.1.10'),
        ])
        expect(await idSet('1.2.3')).toEqual([1, 2])
        expect(await idSet('v1.2.3 ')).toEqual([1, 2])
        expect(await idSet('1.2 ')).toEqual([1, 2])
        expect(await idSet('v1.2')).toEqual([1, 2, 3])
        expect(await ids('192.168')).toEqual([4])
        expect(await ids('192.168 unreachable ')).toEqual([4])
        expect(await ids('192.16')).toEqual([4])
        expect(await ids('192.16 ')).toEqual([])
        expect(await ids('"1.2.3"')).toEqual([2])
        expect(await idSet('upgrade -1.2.3')).toEqual([3])
      })

      it('that are hexadecimal are found with and without 0x', async () => {
        const { idSet } = await searchOver([entity(1, 'Fails with 0x80070005'), entity(2, 'Error 80070005')])
        expect(await idSet('80070005 ')).toEqual([1, 2])
        expect(await idSet('0x80070005 ')).toEqual([1, 2])
      })

      it('may be unfinished, but are not corrected', async () => {
        const { ids } = await searchOver([entity(1, 'Order 4711'), entity(2, 'Order 5')])
        expect(await ids('471')).toEqual([1])
        expect(await ids('471 ')).toEqual([])
        expect(await ids('4712 ')).toEqual([])
        expect(await ids('4')).toEqual([])
      })

      it('are found beside letters, written together or apart', async () => {
        const { ids } = await searchOver([
          entity(1, 'Rover-2'),
          entity(2, 'OAuth2'),
          entity(3, 'Phase 3'),
          entity(4, 'Gate'),
        ])
        expect((await ids('oauth 2'))[0]).toBe(2)
        expect((await ids('oauth 2 '))[0]).toBe(2)
        expect((await ids('phase3 '))[0]).toBe(3)
      })
    })

    describe('phrases and exclusions', () => {
      const entities = [
        entity(1, 'Dock door'),
        entity(2, 'Door of a dock'),
        entity(3, 'Dock', { description: 'each dock-door' }),
        entity(4, 'Yard', { tags: ['dock', 'door'] }),
        entity(5, 'Dock doors'),
      ]

      it('a phrase matches within one text, as written', async () => {
        const { idSet } = await searchOver(entities)
        expect(await idSet('"dock door"')).toEqual([1, 3])
        expect(await idSet('"dock door" yard')).toEqual([1, 3])
        expect(await idSet('"dock doors"')).toEqual([5])
        expect(await idSet('"of a"')).toEqual([2])
        expect(await idSet('"dock dor"')).toEqual([])
      })

      it('an exclusion applies to all forms of a word, and a quoted one only to that form', async () => {
        const { idSet } = await searchOver(entities)
        expect(await idSet('dock -door')).toEqual([])
        expect(await idSet('dock -"doors"')).toEqual([1, 2, 3, 4])
        expect(await idSet('dock -"dock door"')).toEqual([2, 4, 5])
        expect(await idSet('dock -yard')).toEqual([1, 2, 3, 5])
      })

      it('in:title restricts words, phrases and exclusions to titles', async () => {
        const { idSet } = await searchOver(entities)
        expect(await idSet('in:title door ')).toEqual([1, 2, 5])
        expect(await idSet('"dock door" in:title')).toEqual([1])
        expect(await idSet('dock -door in:title')).toEqual([3])
      })
    })

    describe('filters', () => {
      const entities = [
        entity(1, 'Dock', { state: 'Active', updatedAt: '2026-01-01T00:00:00.000Z' }),
        entity(2, 'Door', { state: 'Active', updatedAt: '2026-02-01T00:00:00.000Z' }),
        entity(3, 'Dock', { state: 'Closed', updatedAt: '2026-03-01T00:00:00.000Z' }),
        entity(4, 'Dock plans', { type: 'folder', itemType: null, state: null, updatedAt: null }),
      ]

      it('narrow the results of the words', async () => {
        const { ids } = await searchOver(entities)
        expect(await ids('dock state:active')).toEqual([1])
      })

      it('without words list the matching entities, newest first and without a score', async () => {
        const { ids, run } = await searchOver(entities)
        expect(await ids('state:active')).toEqual([2, 1])
        expect(await ids('-state:active')).toEqual([3, 4])
        expect(await ids('-door')).toEqual([3, 1, 4])
        expect((await run('state:active')).hits.map((hit) => hit.score)).toEqual([0, 0])
      })

      it('support levels, progress, priorities and IDs', async () => {
        const { idSet } = await searchOver([
          entity(1, 'A', {
            itemType: 'User Story',
            level: 1,
            state: 'Committed',
            stateCategory: 'InProgress',
            priority: 1,
          }),
          entity(2, 'B', { itemType: 'Product Backlog Item', level: 1, state: 'Shipped', stateCategory: 'Completed' }),
          entity(3, 'C', { itemType: 'Bug', level: 1, state: 'Closed', stateCategory: null, priority: 2 }),
          entity(4, 'D', { type: 'draft', itemType: null, level: null, state: null }),
        ])
        expect(await idSet('type:story')).toEqual([1, 2])
        expect(await idSet('type:Story is:open')).toEqual([1])
        expect(await idSet('state:open')).toEqual([1])
        expect(await idSet('state:done')).toEqual([2, 3])
        expect(await idSet('-is:done')).toEqual([1, 4])
        expect(await idSet('priority:1')).toEqual([1])
        expect(await idSet('-no:priority')).toEqual([1, 3])
        expect(await idSet('id:3')).toEqual([3])
        expect(await idSet('id:#2 id:4')).toEqual([2, 4])
        expect(await idSet('is:draft')).toEqual([4])
      })

      it('suggest existing values', async () => {
        const index = await open(entities)
        expect(await index.knownValues('state')).toEqual(['Active', 'Closed', 'done', 'open'])
      })

      it('by type are applied before the limit', async () => {
        const { ids, run } = await searchOver(entities)
        expect(await ids('dock', { type: 'folder', limit: 1 })).toEqual([4])
        expect(await run('dock', { type: 'devops', limit: 1 })).toMatchObject({ total: 2, hits: [{ type: 'devops' }] })
      })
    })

    describe('inexact matches', () => {
      const entities = [
        entity(1, 'Conveyor belt'),
        entity(2, 'Convey a message'),
        entity(3, 'Door'),
        entity(4, 'Doorway'),
        entity(5, 'Belt'),
      ]

      it('an unfinished last word finds longer words, ranked below all exact matches', async () => {
        const { ids } = await searchOver(entities)
        expect(await ids('door')).toEqual([3, 4])
        expect(await ids('door ')).toEqual([3])
        expect(await ids('conveyo')).toEqual([1])
        expect((await ids('belt doo')).slice(0, 2)).toEqual([5, 1])
        expect((await ids('belt doo')).slice(2).sort()).toEqual([3, 4])
      })

      it('an unknown word is treated as mistyped', async () => {
        const { ids, idSet } = await searchOver(entities)
        expect(await ids('convyeor ')).toEqual([1])
        expect(await idSet('dooor')).toEqual([3])
        expect(await ids('"convyeor"')).toEqual([])
        expect(await ids('dor ')).toEqual([])
      })

      it('a mistyped word never ranks an entity above an exact match', async () => {
        const { ids } = await searchOver([
          ...entities,
          entity(6, 'A very long title about many things and one belt at last'),
        ])
        expect(await ids('doorwya belt ')).toEqual([5, 1, 6, 4])
      })

      it('a word of a single entity also finds a frequent word that is one edit away', async () => {
        const { idSet } = await searchOver([
          entity(1, 'Printre jam'),
          ...Array.from({ length: 20 }, (_, i) => entity(10 + i, 'A printer')),
        ])
        expect(await idSet('printre ')).toHaveLength(21)
        expect(await idSet('"printre"')).toEqual([1])
      })

      it('a known word is not corrected', async () => {
        const { ids } = await searchOver([entity(1, 'Boot'), entity(2, 'Book')])
        expect(await ids('boot ')).toEqual([1])
      })

      it('two words written as one match the separate words', async () => {
        const { ids } = await searchOver([entity(1, 'Loading dock'), entity(2, 'Door')])
        expect(await ids('loadingdock ')).toEqual([1])
      })
    })

    describe('the work of a search', () => {
      const text = 'alpha beta gamma delta '.repeat(3_000)
      const entities = [1, 2, 3].map((id) => entity(id, 'Alpha', { description: text }))
      const length = 3 * ('Alpha'.length + text.trim().length + 1)

      it('reads each text once for all phrases and exclusions, and once for its snippet', async () => {
        const { run } = await searchOver(entities)
        const phrases = Array.from({ length: MAX_QUERY_PARTS.phrases }, (_, i) => `"${text.slice(0, 23 * i + 10)}"`)
        const queries = [
          '"alpha beta"',
          '"alpha beta" '.repeat(700),
          `${phrases.join(' ').slice(0, 9_000)}" -"beta alpha" -delta-beta`,
        ]
        for (const query of queries) {
          const work = new SearchWork()
          expect((await run(query, { work })).total).toBe(3)
          expect(work.tokenized).toBeLessThan(2 * length)
        }
      })

      it('reads no text that does not decide', async () => {
        const { run } = await searchOver(entities)
        for (const query of [
          'alpha in:title',
          'state:New',
          'alpha -gamma',
          '"alpha zeta"',
          '"alpha beta" state:Closed',
        ]) {
          const work = new SearchWork()
          await run(query, { work })
          expect(work.tokenized).toBe(0)
        }
      })

      it('is done in steps, and ends where its checkpoint throws', async () => {
        const { run } = await searchOver(entities)
        let steps = 0
        const count = new SearchWork(async () => {
          steps += 1
        })
        await run('"gamma delta" -"delta gamma"', { work: count })
        expect(count.tokenized / steps).toBeLessThan(20_000)
        const end = new SearchWork(async () => {
          throw new Error('enough')
        })
        await expect(run('"gamma delta"', { work: end })).rejects.toThrow('enough')
        expect((await run('gamma')).total).toBe(3)
      })
    })

    describe('a result', () => {
      it('contains the entity, with a plain-text snippet and the positions of the words in it', async () => {
        const { run } = await searchOver([
          entity(7, 'Night shift', {
            type: 'draft',
            itemType: null,
            state: null,
            folderId: 3,
            description: 'Every dock door is checked twice.',
          }),
        ])
        expect((await run('door ')).hits).toEqual([
          {
            type: 'draft',
            id: 7,
            title: 'Night shift',
            score: expect.any(Number),
            snippet: 'Every dock door is checked twice.',
            highlights: [[11, 15]],
            state: null,
            folderId: 3,
            updatedAt: '2026-01-01T00:00:00.000Z',
            url: null,
            reference: null,
          },
        ])
      })

      it('has no highlights if only the title matched or only titles were searched', async () => {
        const { run } = await searchOver([
          entity(1, 'Dock', { description: 'A door.' }),
          entity(2, 'Door', { description: 'A dock door.' }),
        ])
        expect((await run('dock')).hits.find((hit) => hit.id === 1)).toMatchObject({
          snippet: 'A door.',
          highlights: [],
        })
        expect((await run('door in:title')).hits).toMatchObject([{ id: 2, snippet: 'A dock door.', highlights: [] }])
      })
    })
  })
}
