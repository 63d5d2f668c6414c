import { describe, expect, it } from 'vitest'
import { formatCommand } from '../../src/catalog'
import { formatHint, hint, mapHintTexts, suggest } from '../../src/kernel'

describe('a hint', () => {
  it('is plain text if it suggests no call', () => {
    expect(hint`Wait ${5} seconds${', then try again'}.`).toBe('Wait 5 seconds, then try again.')
  })

  it('can contain other hints', async () => {
    const fetch = hint`Fetch it: ${suggest('items.get', { id: 204 })}`
    expect(await formatHint(hint`${fetch}. Or wait.`, ({ operation }) => operation)).toBe(
      'Fetch it: items.get. Or wait.',
    )
  })

  it('is changed in its texts and in the input of its calls', async () => {
    const changed = mapHintTexts(
      hint`Restore /home/ana: ${suggest('storage.restore', { file: '/home/ana/a.db' })}`,
      (text) => text.replaceAll('/home/ana', '[hidden]'),
    )
    expect(await formatHint(changed, formatCommand)).toBe('Restore [hidden]: studio restore "[hidden]/a.db"')
  })
})

describe('a suggested call as a command line', () => {
  it.each([
    [suggest('drafts.list'), 'studio draft list'],
    [suggest('items.get', { id: 204, cached: true }), 'studio item get 204 --cached'],
    [suggest('items.get', { id: '<id>' }), 'studio item get <id>'],
    [
      suggest('appointments.reschedule', { id: 'a-1', targetDate: '<YYYY-MM-DD>' }),
      'studio reschedule a-1 --date <YYYY-MM-DD>',
    ],
    [
      suggest('doors.update', { facilityCode: 'DC1', name: 'Door 3', active: false }),
      'studio door update --facility DC1 --name "Door 3" --no-active',
    ],
    [suggest('doors.list', { facilityId: 'b-2' }), 'studio door list --facility b-2'],
    [
      suggest('folders.update', { id: 3, name: "Ana's $HOME" }),
      process.platform === 'win32'
        ? 'studio folder rename 3 "Ana\'s `$HOME"'
        : `studio folder rename 3 'Ana'\\''s $HOME'`,
    ],
    [suggest('tokens.create', { name: '<name>', role: 'reader' }), 'studio token create --name <name> --role reader'],
    [suggest('items.import-single', { ids: 204 }), 'studio import --item 204'],
    [suggest('filters.clear-working'), 'studio filter working --clear'],
  ])('%o', async (call, command) => expect(await formatCommand(call)).toBe(command))
})
