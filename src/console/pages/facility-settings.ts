import type { ResultOf } from '../../catalog'
import type { ConsolePage } from '../console-page'
import { type Html, html, table } from '../html'
import { facilityPath } from './facility-path'

type Facility = ResultOf<'facilities.get'>
type Door = Facility['doors'][number]
type Weekly = Omit<Facility['queues'][number], 'types'> & { types?: readonly string[] | null }
type Limit = Facility['limits'][number]

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

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

function generalForm(facility: Facility): Html {
  const { code, name, timeZone, capacity, advanceToNextOpenDay } = facility
  const numbers = [
    ['minMinutes', 'Shortest appointment, in minutes'],
    ['maxMinutes', 'Longest appointment, in minutes'],
    ['defaultMinutes', 'Default length, in minutes'],
    ['slotMinutes', 'Minutes between possible starts'],
    ['leadMinutes', 'Minimum notice, in minutes'],
    ['bufferMinutes', 'Buffer between appointments, in minutes'],
    ['graceMinutes', 'Grace period, in minutes'],
  ] as const
  return changeForm('facilities.update', facility, {
    fields: html`<div class="columns">
<label>Code <input name="code" required value="${code}"></label>
<label>Name <input name="name" required value="${name}"></label>
<label>Time zone <input name="timeZone" required value="${timeZone}"></label>
<label>Appointments at the same time <input name="capacity" type="number" min="1" value="${capacity ?? ''}"><small>Empty: one per door</small></label>
${numbers.map(([field, label]) => html`<label>${label} <input name="${field}" type="number" min="0" required value="${facility[field]}"></label>`)}
<label>If a date is full <select name="advanceToNextOpenDay"><option value="true">book the next open day</option><option value="false"${advanceToNextOpenDay ? '' : html` selected`}>refuse the booking</option></select></label>
</div>`,
  })
}

/** The windows, and one more to fill in. A window without a day is removed. */
function hoursForm(facility: Facility): Html {
  const empty: Weekly = { name: '', days: [], start: '', end: '', doors: null }
  const list = (field: 'queues' | 'breaks', windows: readonly Weekly[]) =>
    [...windows, empty].map((window, index) => weeklyFields(`${field}.${index}`, window, facility))
  return changeForm('facilities.update', facility, {
    fields: html`<h3>Open for appointments</h3>${list('queues', facility.queues)}<h3>Breaks</h3>${list('breaks', facility.breaks)}
<p class="soft">Clear the days of a window to remove it.</p>`,
  })
}

function weeklyFields(
  place: string,
  { name, days, start, end, doors: only, types }: Weekly,
  { doors }: Facility,
): Html {
  const isQueue = place.startsWith('queues')
  return html`<fieldset class="bar"><legend>${days.length > 0 ? name || 'Without a name' : isQueue ? 'Add a window' : 'Add a break'}</legend>
<span role="group" aria-label="Days">${DAYS.map((day) => choice(`${place}.days[]`, day, (days as string[]).includes(day), capitalize(day)))}</span>
<label>From <input type="time" name="${place}.start" value="${start}"></label>
<label>To <input type="time" name="${place}.end" value="${end}"></label>
<label>Name <input name="${place}.name" value="${name}"></label>
${isQueue ? html`<label>Type <select name="${place}.types[]">${['', 'pickup', 'delivery'].map((type) => html`<option value="${type}"${(types?.length === 1 ? types[0] : '') === type ? html` selected` : ''}>${type || 'both'}</option>`)}</select></label>` : ''}
<label>Only at doors <select name="${place}.doors[]" multiple size="2">${doors.map((door) => option(door.name, only?.includes(door.name)))}</select></label></fieldset>`
}

function limitsForm(facility: Facility): Html {
  const empty = { name: '', max: '', unit: 'appointments', per: 'hour', types: null, carriers: null } as const
  return changeForm('facilities.update', facility, {
    fields: html`<input type="hidden" name="limits.none.unit" value="appointments">
${[...facility.limits, empty].map((limit, index) => limitFields(`limits.${index}`, limit))}
<p class="soft">Clear the number of a limit to remove it.</p>`,
  })
}

function limitFields(
  place: string,
  limit: Omit<Limit, 'max' | 'eachCarrier'> & { max: number | ''; eachCarrier?: boolean },
): Html {
  const { name, max, unit, per, types, carriers, eachCarrier = false } = limit
  const options = (values: readonly string[], chosen: string) => values.map((value) => option(value, value === chosen))
  return html`<fieldset class="bar"><legend>${max === '' ? 'Add a limit' : name || 'Without a name'}</legend>
<label>At most <input type="number" min="0" name="${place}.max" value="${max}"></label>
<label>Of <select name="${place}.unit">${options(['appointments', 'pallets'], unit)}</select></label>
<label>Per <select name="${place}.per">${options(['hour', 'day', 'moment'], per)}</select></label>
<label>Type <select name="${place}.types[]"><option value="">both</option>${options(['pickup', 'delivery'], types?.length === 1 ? types[0]! : '')}</select></label>
<label>Only for carriers <textarea rows="1" name="${place}.carriers[lines]" placeholder="one per line">
${carriers?.join('\n') ?? ''}</textarea></label>
${choice(`${place}.eachCarrier`, 'true', eachCarrier, 'count each carrier by itself')}
<label>Name <input name="${place}.name" value="${name}"></label></fieldset>`
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
  fields: html`<div class="columns"><label>Closed from <input type="date" name="from" required></label>
<label>Last closed date <input type="date" name="to"><small>Empty: the same date</small></label>
<label>Reason <input name="reason" maxlength="200"></label></div>`,
})}`
}

function blockedTimes(facility: Facility): Html {
  const { timeZone } = facility
  const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const rows = facility.blockedTimes.map(
    ({ from, to, doors: only, reason }) =>
      html`<tr><td class="nowrap">${local.format(new Date(from))}</td><td class="nowrap">${local.format(new Date(to))}</td><td>${only?.join(', ') ?? 'all'}</td><td>${reason ?? ''}</td>
<td>${changeForm('facilities.unblock', facility, { fields: html`<input type="hidden" name="from" value="${from}"><input type="hidden" name="to" value="${to}">${only?.map((door) => html`<input type="hidden" name="doors[]" value="${door}">`) ?? ''}`, word: `Unblock from ${local.format(new Date(from))}`, check: false })}</td></tr>`,
  )
  return html`${rows.length === 0 ? '' : table('Blocked hours', ['From', 'To', 'Doors', 'Reason', 'Action'], rows)}
${changeForm('facilities.block', facility, {
  fields: html`<div class="columns"><label>Blocked from <input type="datetime-local" name="from" required></label>
<label>To <input type="datetime-local" name="to" required></label>
<label>Only at doors <select name="doors[]" multiple size="2">${facility.doors.map(({ name }) => option(name))}</select></label>
<label>Reason <input name="reason" maxlength="200"></label></div>`,
})}`
}

function doors(facility: Facility): Html {
  return html`${facility.doors.map(
    (door) => html`<details><summary>${door.name}${door.active ? '' : ' (not in use)'}</summary>
${changeForm('doors.update', facility, { fields: doorFields(door, facility.doors.length) })}
${changeForm('doors.remove', facility, { fields: html`<input type="hidden" name="name" value="${door.name}">`, word: `Remove ${door.name}` })}</details>`,
  )}
<details><summary>Add a door</summary>${changeForm('doors.add', facility, { fields: doorFields(null, facility.doors.length), word: 'Add the door', check: false })}</details>`
}

function doorFields(door: Door | null, count: number): Html {
  const {
    name = '',
    types = ['pickup', 'delivery'],
    features = [],
    maxHeight = null,
    position = count + 1,
  } = door ?? {}
  return html`${door ? html`<input type="hidden" name="name" value="${name}">` : ''}<div class="columns">
<label>Name <input name="${door ? 'newName' : 'name'}" required value="${name}"></label>
<label>Position <input type="number" name="position" min="1" max="${count + 1}" value="${position}"><small>The first free door is booked</small></label>
<label>Maximum trailer height, in inches <input type="number" name="maxHeight" min="1" value="${maxHeight ?? ''}"><small>Empty: any</small></label>
<label>What it can handle <textarea name="features[lines]" rows="2" placeholder="reefer, one per line">
${features.join('\n')}</textarea></label>
<fieldset><legend>Takes</legend>${['pickup', 'delivery'].map((type) => choice('types[]', type, (types as string[]).includes(type)))}</fieldset>
${door ? html`<label>In use <select name="active">${option('true', door.active, 'yes')}${option('false', !door.active, 'no')}</select></label>` : ''}</div>`
}

function capitalize(day: string): string {
  return day.charAt(0).toUpperCase() + day.slice(1)
}

function choice(name: string, value: string, isChosen: boolean, text = value): Html {
  return html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${isChosen ? html` checked` : ''}> ${text}</label> `
}

function option(value: string, isChosen = false, text = value): Html {
  return html`<option value="${value}"${isChosen ? html` selected` : ''}>${text}</option>`
}
