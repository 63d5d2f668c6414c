import { describe, expect, it } from 'vitest'
import { matchesFilter } from '../../../src/items/rules/item-filter'

const item = {
  id: 204,
  title: 'Tell the driver the door',
  state: 'Active',
  tags: ['gate'],
  description: { format: 'html' as const, text: '<div>Each <b>carrier</b> hears of it.</div>' },
  acceptanceCriteria: { format: 'markdown' as const, text: 'A **text message** is sent.' },
  assignedTo: { displayName: 'Mei Tan', uniqueName: 'mei@quayside.example' },
}

describe('matchesFilter', () => {
  it.each([
    [{}, true],
    [{ state: 'active' }, true],
    [{ state: 'New' }, false],
    [{ assignedTo: 'mei tan' }, true],
    [{ assignedTo: 'mei' }, true],
    [{ assignedTo: 'MEI@quayside.example' }, true],
    [{ assignedTo: 'tan' }, false],
    [{ search: 'DOOR gate' }, true],
    [{ search: '#204' }, true],
    [{ search: 'carrier hears door' }, true],
    [{ search: 'message' }, true],
    [{ search: 'div' }, false],
    [{ search: 'door window' }, false],
    [{ state: 'Active', assignedTo: 'tomas' }, false],
  ])('%j: %s', (filter, passes) => {
    expect(matchesFilter(item, filter)).toBe(passes)
  })

  it('rejects items without an assignee', () => {
    expect(matchesFilter({ ...item, assignedTo: null }, { assignedTo: 'mei' })).toBe(false)
  })
})
