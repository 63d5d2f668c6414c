import type { ResultOf } from '../../catalog'
import type { ConsolePage } from '../console-page'
import { type Html, html, table } from '../html'
import { inputs } from '../schema-inputs'
import { facilityPath } from './facility-path'

type Facility = ResultOf<'facilities.get'>
type Door = Facility['doors'][number]

/** The settings of a facility and its doors. Each form shows the consequences of a change before it is saved. */
export const facilitySettingsPage: ConsolePage = {
  section: 'docks',
  access: 'tenant-admin',
  async render({ run, params }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const { code, name } = facility
    return {
      title: `Settings of ${code}`,
      body: html`<h1>${code} ${name}: settings</h1>
<p><a href="${facilityPath(code)}">Board of ${code}</a></p>
<h2>Facility</h2>${generalForm(facility)}
<h2>Weekly hours</h2>${hoursForm(facility)}
<h2>Limits</h2>${limitsForm(facility)}
<h2>Closed dates</h2>${closures(facility)}
<h2>Blocked hours</h2>${blockedTimes(facility)}
<h2>Doors</h2>${doors(facility)}
<h2>Delete</h2>
<form method="post" action="/console/run/facilities.delete" data-confirm="Delete the facility ${code}?"><input type="hidden" name="id" value="${facility.id}"><input type="hidden" name="next" value="/console/docks">
<p>Its appointments can still be listed, and it can be restored.</p><p class="error" role="alert"></p><button type="submit" class="quiet">Delete this facility</button></form>`,
    }
  },
}

/**
 * A form whose answer is what the change would do. What replaces values is based on the facility that the page shows. `check: false` is for
 * changes that leave no appointment without a place.
 */
function changeForm(
  operation: string,
  { id, code, revision }: Facility,
  { fields, word = 'Preview the change', check = true }: { fields: Html; word?: string; check?: boolean },
): Html {
  const isDoor = operation.startsWith('doors.')
  const replaces = ['facilities.update', 'doors.update', 'doors.remove'].includes(operation)
  return html`<form method="post" action="/console/run/${operation}">
<input type="hidden" name="${isDoor ? 'facilityId' : 'id'}" value="${id}"><input type="hidden" name="next" value="${facilityPath(code, '/settings')}">
${replaces ? html`<input type="hidden" name="ifRevision" value="${revision}">` : ''}${check ? html`<input type="hidden" name="dryRun" value="true">` : ''}${fields}
<p class="error" role="alert"></p><button type="submit" class="quiet">${word}</button></form><div class="answer"></div>`
}

const generalFields = [
  ...['code', 'name', 'timeZone', 'capacity', 'minMinutes', 'maxMinutes', 'defaultMinutes', 'slotMinutes'],
  ...['leadMinutes', 'bufferMinutes', 'graceMinutes', 'advanceToNextOpenDay'],
]

function generalForm(facility: Facility): Html {
  const fields = html`<div class="columns">${inputs('facilities.update', generalFields, { values: facility })}</div>`
  return changeForm('facilities.update', facility, { fields })
}

/** The windows. A window without a day is removed. */
function hoursForm(facility: Facility): Html {
  const list = (name: 'queues' | 'breaks', add: string) =>
    entryFields(facility, name, {
      add,
      fields: ['days[]', 'start', 'end', 'name', ...(name === 'queues' ? ['types[]'] : []), 'doors[]'],
    })
  return changeForm('facilities.update', facility, {
    fields: html`<h3>Open for appointments</h3>${list('queues', 'Add a window')}<h3>Breaks</h3>${list('breaks', 'Add a break')}
<p class="soft">Clear the days of a window to remove it.</p>`,
  })
}

function limitsForm(facility: Facility): Html {
  const fields = ['max', 'unit', 'per', 'types[]', 'carriers[lines]', 'eachCarrier', 'name']
  return changeForm('facilities.update', facility, {
    fields: html`<input type="hidden" name="limits.none.unit" value="appointments">
${entryFields(facility, 'limits', { add: 'Add a limit', fields })}
<p class="soft">Clear the number of a limit to remove it.</p>`,
  })
}

/** Their names alone say too little in a row. */
const rowLabels: Record<string, string> = {
  'doors[]': 'Only at doors',
  max: 'At most',
  unit: 'Of',
  'carriers[lines]': 'Only for carriers',
}

/** The entries of a list, and one more to fill in. */
function entryFields(
  facility: Facility,
  list: 'queues' | 'breaks' | 'limits',
  { add, fields }: { add: string; fields: readonly string[] },
): Html[] {
  const draw = (index: number, name: string) =>
    inputs(
      'facilities.update',
      [
        {
          name: `${list}.${index}.${name}`,
          label: rowLabels[name],
          ...(name === 'doors[]' && { choices: doorChoices(facility) }),
        },
      ],
      { values: facility, inRow: true },
    )
  return [...facility[list], null].map(
    (
      entry,
      index,
    ) => html`<fieldset class="bar"><legend>${entry === null ? add : entry.name || 'Without a name'}</legend>
${fields.map((name) => draw(index, name))}</fieldset>`,
  )
}

function doorChoices({ doors }: Facility): [value: string, text: string][] {
  return doors.map(({ name }) => [name, name])
}

function closures(facility: Facility): Html {
  const rows = facility.closures.map(
    ({
      from,
      to,
      reason,
    }) => html`<tr><td class="nowrap">${from}</td><td class="nowrap">${to}</td><td>${reason ?? ''}</td>
<td>${changeForm('facilities.reopen', facility, { fields: html`<input type="hidden" name="from" value="${from}"><input type="hidden" name="to" value="${to}">`, word: `Open again from ${from}`, check: false })}</td></tr>`,
  )
  return html`${rows.length === 0 ? '' : table('Closed dates', ['From', 'To', 'Reason', 'Action'], rows)}
${changeForm('facilities.close', facility, {
  fields: html`<div class="columns">${inputs('facilities.close', [{ name: 'from', attributes: { required: true } }, 'to', 'reason'])}</div>`,
})}`
}

function blockedTimes(facility: Facility): Html {
  const { timeZone } = facility
  const attributes = { type: 'datetime-local' }
  const times = [
    { name: 'from', attributes },
    { name: 'to', attributes },
  ]
  const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const rows = facility.blockedTimes.map(
    ({ from, to, doors: only, reason }) =>
      html`<tr><td class="nowrap">${local.format(new Date(from))}</td><td class="nowrap">${local.format(new Date(to))}</td><td>${only?.join(', ') ?? 'all'}</td><td>${reason ?? ''}</td>
<td>${changeForm('facilities.unblock', facility, { fields: html`<input type="hidden" name="from" value="${from}"><input type="hidden" name="to" value="${to}">${only?.map((door) => html`<input type="hidden" name="doors[]" value="${door}">`) ?? ''}`, word: `Unblock from ${local.format(new Date(from))}`, check: false })}</td></tr>`,
  )
  return html`${rows.length === 0 ? '' : table('Blocked hours', ['From', 'To', 'Doors', 'Reason', 'Action'], rows)}
${changeForm('facilities.block', facility, {
  fields: html`<div class="columns">${inputs('facilities.block', [...times, { name: 'doors[]', choices: doorChoices(facility) }, 'reason'])}</div>`,
})}`
}

const doorFields = ['position', 'maxHeight', 'features[lines]', 'types[]']

function doors(facility: Facility): Html {
  const newDoor = html`<div class="columns">${inputs('doors.add', ['name', ...doorFields])}</div>`
  return html`${facility.doors.map(
    (door) => html`<details><summary>${door.name}${door.active ? '' : ' (not in use)'}</summary>
${changeForm('doors.update', facility, { fields: changedDoor(door) })}
${changeForm('doors.remove', facility, { fields: html`<input type="hidden" name="name" value="${door.name}">`, word: `Remove ${door.name}` })}</details>`,
  )}
<details><summary>Add a door</summary>${changeForm('doors.add', facility, { fields: newDoor, word: 'Add the door', check: false })}</details>`
}

function changedDoor(door: Door): Html {
  const fields = [{ name: 'newName', label: 'Name', value: door.name }, ...doorFields, 'active']
  return html`<input type="hidden" name="name" value="${door.name}"><div class="columns">${inputs('doors.update', fields, { values: door, key: door.id })}</div>`
}
