import { describe, expect, it } from 'vitest'
import { parsePastState } from '../../../src/items/rules/snapshot-fields'

describe('parsePastState', () => {
  it('reads fields by the last part of their names', () => {
    expect(
      parsePastState({
        'System.State': 'Closed',
        'System.ChangedDate': '2026-11-09T10:00:00Z',
        'Vendor.Common.StateChangeDate': '2026-11-08T10:00:00.5Z',
        'Vendor.Common.ActivatedDate': '2026-11-01T10:00:00+01:00',
        'Vendor.Common.ClosedDate': '2026-11-08T10:00:00',
      }),
    ).toEqual({
      state: 'Closed',
      changedAt: '2026-11-09T10:00:00.000Z',
      stateSince: '2026-11-08T10:00:00.500Z',
      activatedAt: '2026-11-01T09:00:00.000Z',
      closedAt: '2026-11-08T10:00:00.000Z',
      createdAt: null,
    })
  })

  it.each([undefined, null, 7, '', 'soon', '9999-01-01T00:00:00Z', '0001-01-01T00:00:00Z', {}])(
    'treats %j as a missing date',
    (value) => {
      expect(parsePastState({ 'System.State': 7, 'Vendor.ClosedDate': value })).toMatchObject({
        state: '',
        closedAt: null,
      })
    },
  )
})
