import type { ResultOf } from '../../../catalog'
import { nameChange } from '../../../docks'
import type { OperationId } from '../../../kernel'
import type { ConsolePage } from '../../console-page'
import { formatLocal } from '../../facility-dates'
import { type OperationForm, operationForm } from '../../forms/operation-form'
import { inputs } from '../../forms/schema-inputs'
import { type Html, html, table } from '../../html'
import { checkSection } from './booking-check'
import { facilityHead } from './facility-head'
import { facilityPath } from './facility-path'

type Facility = ResultOf<'facilities.get'>
type Door = Facility['doors'][number]

/** The settings of a facility and its doors. Each form shows the consequences of a change before it is saved. */
export const facilitySettingsPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'manager' },
  async render({ run, params, may }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const check = (await may('facilities.get-check')) ? await checkSection(run, facility) : ''
    const { code, name } = facility
    return {
      title: `Settings of ${code}`,
      body: html`${facilityHead({ code, name }, '/settings')}
<h2>Facility</h2>${generalForm(facility)}
<h2>Weekly hours</h2>${hoursForm(facility)}
<h2>Limits</h2>${limitsForm(facility)}
<h2>Fields of appointments</h2>${customFieldsForm(facility)}
<h2>Reasons</h2>${reasonsForm(facility)}
<h2>Closed dates</h2>${closures(facility)}
<h2>Blocked hours</h2>${blockedTimes(facility)}
<h2>Doors</h2>${doors(facility)}
${check}
<h2>Delete</h2>
${operationForm('facilities.delete', { head: html`<p>Its appointments can still be listed, and it can be restored.</p>`, hidden: { id: facility.id, next: '/console/docks' }, confirm: `Delete the facility ${code}?`, word: 'Delete this facility', quiet: true })}`,
    }
  },
}

/**
 * A form whose answer is what the change would do. What replaces values is based on the facility that the page shows. `check: false` is for
 * changes that leave no appointment without a place.
 */
function changeForm(
  operation: OperationId,
  { id, code, revision }: Facility,
  { check = true, hidden, ...form }: Partial<OperationForm> & { check?: boolean },
): Html {
  const place = { [operation.startsWith('doors.') ? 'facilityId' : 'id']: id, next: facilityPath(code, '/settings') }
  const replaces = ['facilities.update', 'doors.update', 'doors.remove'].includes(operation)
  const basis = { ifRevision: replaces ? revision : undefined, dryRun: check || undefined }
  return html`${operationForm(operation, { word: 'Preview the change', quiet: true, hidden: { ...place, ...basis, ...hidden }, ...form })}<div class="answer"></div>`
}

const generalFields = [
  ...['code', 'name', 'timeZone', 'capacity', 'minMinutes', 'maxMinutes', 'defaultMinutes', 'slotMinutes'],
  ...['leadMinutes', 'bufferMinutes', 'graceMinutes', 'reminderHours', 'truckFreeMinutes', 'trailerFreeHours'],
  ...['makeRoom', 'moveAnnounced', 'advanceToNextOpenDay'],
]

function generalForm(facility: Facility): Html {
  return changeForm('facilities.update', facility, {
    fields: generalFields,
    values: facility,
    onlyChanges: true,
    inColumns: true,
  })
}

/** The windows. A window without a day is removed. */
function hoursForm(facility: Facility): Html {
  const list = (name: 'queues' | 'breaks', add: string) =>
    entryFields(facility, name, {
      add,
      fields: ['days[]', 'start', 'end', 'name', ...(name === 'queues' ? ['types[]'] : []), 'doors[]'],
    })
  return changeForm('facilities.update', facility, {
    head: html`<h3>Open for appointments</h3>${list('queues', 'Add a window')}<h3>Breaks</h3>${list('breaks', 'Add a break')}
<p class="soft">Clear the days of a window to remove it.</p>`,
  })
}

function limitsForm(facility: Facility): Html {
  const fields = ['max', 'unit', 'per', 'types[]', 'carriers[lines]', 'eachCarrier', 'name']
  return changeForm('facilities.update', facility, {
    hidden: { 'limits.none.unit': 'appointments' },
    head: html`${entryFields(facility, 'limits', { add: 'Add a limit', fields })}
<p class="soft">Clear the number of a limit to remove it.</p>`,
  })
}

function customFieldsForm(facility: Facility): Html {
  const fields = ['name', 'label', 'kind', 'choices[lines]', 'required', 'types[]', 'seenBy']
  return changeForm('facilities.update', facility, {
    check: false,
    hidden: { 'customFields.none.kind': 'text' },
    head: html`${entryFields(facility, 'customFields', { add: 'Add a field', fields })}
<p class="soft">Clear the name of a field to remove it. Appointments keep the values that they have.</p>`,
    word: 'Save the fields',
  })
}

function reasonsForm(facility: Facility): Html {
  const fields = ['change', 'choices[lines]', 'required']
  return changeForm('facilities.update', facility, {
    check: false,
    hidden: { 'reasons.none.change': 'cancelled' },
    head: html`${entryFields(facility, 'reasons', { add: 'Add a list', fields })}
<p class="soft">Clear the reasons of a list to remove it.</p>`,
    word: 'Save the reasons',
  })
}

/** Their names alone say too little in a row. */
const rowLabels: Record<string, string> = {
  'doors[]': 'Only at doors',
  max: 'At most',
  unit: 'Of',
  'carriers[lines]': 'Only for carriers',
  'choices[lines]': 'Values',
}

/** The entries of a list, and one more to fill in. */
function entryFields(
  facility: Facility,
  list: 'queues' | 'breaks' | 'limits' | 'customFields' | 'reasons',
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
    (entry, index) => html`<fieldset class="bar"><legend>${entry === null ? add : nameEntry(entry)}</legend>
${fields.map((name) => draw(index, name))}</fieldset>`,
  )
}

function nameEntry(entry: { name: string } | { change: Facility['reasons'][number]['change'] }): string {
  return 'change' in entry ? nameChange(entry.change) : entry.name || 'Without a name'
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
<td>${changeForm('facilities.reopen', facility, { hidden: { from, to }, word: `Open again from ${from}`, check: false })}</td></tr>`,
  )
  return html`${rows.length === 0 ? '' : table('Closed dates', ['From', 'To', 'Reason', 'Action'], rows)}
${changeForm('facilities.close', facility, { fields: [{ name: 'from', attributes: { required: true } }, 'to', 'reason'], inColumns: true })}`
}

function blockedTimes(facility: Facility): Html {
  const { timeZone } = facility
  const local = (at: string) => formatLocal(at, timeZone)
  const rows = facility.blockedTimes.map(
    ({ from, to, doors: only, reason }) =>
      html`<tr><td class="nowrap">${local(from)}</td><td class="nowrap">${local(to)}</td><td>${only?.join(', ') ?? 'all'}</td><td>${reason ?? ''}</td>
<td>${changeForm('facilities.unblock', facility, { hidden: { from, to, 'doors[]': only }, word: `Unblock from ${local(from)}`, check: false })}</td></tr>`,
  )
  return html`${rows.length === 0 ? '' : table('Blocked hours', ['From', 'To', 'Doors', 'Reason', 'Action'], rows)}
${changeForm('facilities.block', facility, { fields: ['from', 'to', { name: 'doors[]', label: 'Only at doors', choices: doorChoices(facility) }, 'reason'], inColumns: true })}`
}

const doorFields = ['position', 'maxHeight', 'features[lines]', 'types[]']

function doors(facility: Facility): Html {
  const newDoor = { fields: ['name', ...doorFields], inColumns: true, word: 'Add the door', check: false } as const
  return html`${facility.doors.map((door) => doorForms(facility, door))}
<details><summary>Add a door</summary>${changeForm('doors.add', facility, newDoor)}</details>`
}

function doorForms(facility: Facility, door: Door): Html {
  const { id, name, active } = door
  const fields = [{ name: 'newName', label: 'Name' }, ...doorFields, 'active']
  return html`<details><summary>${name}${active ? '' : ' (not in use)'}</summary>
${changeForm('doors.update', facility, { hidden: { name }, fields, values: { ...door, newName: name }, onlyChanges: true, key: id, inColumns: true })}
${changeForm('doors.remove', facility, { hidden: { name }, word: `Remove ${name}` })}</details>`
}
