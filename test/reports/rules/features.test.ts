import { describe, expect, it } from 'vitest'
import { featureIdsOf } from '../../../src/reports/rules/features'
import type { ReportItem } from '../../../src/reports/rules/item'
import { lineageOf } from '../../../src/reports/rules/lineage'
import { item } from '../sample-workspace'

const featuresIn = (...items: ReportItem[]) => [...featureIdsOf(lineageOf(items))]

describe('which items are features', () => {
  it('takes the level above requirements: Agile, Scrum and CMMI', () => {
    const found = featuresIn(
      item(1, { type: 'Epic', level: 3 }),
      item(2, { type: 'Feature', level: 2, parentId: 1 }),
      item(3, { type: 'Product Backlog Item', level: 1, parentId: 2 }),
      item(4, { type: 'Task', level: 0, parentId: 3 }),
    )
    expect(found).toEqual([2])
  })

  it('takes the epics of a process without features, at whatever level the tracker numbers them', () => {
    const basic = (level: number) =>
      featuresIn(
        item(1, { type: 'Epic', level }),
        item(2, { type: 'Issue', level: 1, parentId: 1 }),
        item(3, { type: 'Task', level: 0, parentId: 2 }),
      )
    expect(basic(2)).toEqual([1])
    expect(basic(3)).toEqual([1])
  })

  it('takes the lower of two levels where the one between is not used', () => {
    const found = featuresIn(
      item(1, { type: 'Initiative', level: 4 }),
      item(2, { type: 'Epic', level: 3, parentId: 1 }),
      item(3, { level: 1, parentId: 2 }),
    )
    expect(found).toEqual([2])
  })

  it('asks nothing of names', () => {
    const found = featuresIn(
      item(1, { type: 'Vorhaben', level: 2 }),
      item(2, { type: 'Feature', level: 1, parentId: 1 }),
    )
    expect(found).toEqual([1])
  })

  it('takes the roots with children where no level stands above requirements', () => {
    const story = [item(1), item(2, { level: 0, parentId: 1 }), item(3, { level: 0, parentId: 2 })]
    expect(featuresIn(...story, item(4))).toEqual([1])
    expect(featuresIn(item(1, { level: null }), item(2, { level: null, parentId: 1 }))).toEqual([1])
  })

  it('finds none among single items', () => {
    expect(featuresIn(item(1), item(2, { level: 0 }))).toEqual([])
  })
})
